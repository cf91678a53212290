import { deleteApp, initializeApp } from "firebase/app";
import {
  collection,
  connectFirestoreEmulator,
  getFirestore,
  limitToLast,
  onSnapshot,
  orderBy,
  query,
  setLogLevel,
} from "firebase/firestore";

import { PAGE_SIZE } from "#app/chat/message.ts";
import { MESSAGES_PATH } from "#app/chat/room-address.ts";

// Listens to the room as many browsers would: each listener has its own Firestore. The parent process sends messages; the
// text of each is the time when it was sent.

const [host = "", projectId = "", count = ""] = process.argv.slice(2);
const { hostname, port } = new URL(`http://${host}`);
const latencies: number[] = [];
let ready = 0;

setLogLevel("silent");
const apps = Array.from({ length: Number(count) }, (_, index) => {
  const app = initializeApp({ projectId }, `listener-${index}`);
  const firestore = getFirestore(app);
  connectFirestoreEmulator(firestore, hostname, Number(port));
  const newest = query(
    collection(firestore, MESSAGES_PATH),
    orderBy("createdAt"),
    limitToLast(PAGE_SIZE),
  );
  let isReady = false;
  onSnapshot(newest, (snapshot) => {
    const now = performance.timeOrigin + performance.now();
    if (isReady) {
      for (const change of snapshot.docChanges()) {
        const sentAt = Number(change.doc.get("text"));
        if (change.type === "added" && sentAt > 0) latencies.push(now - sentAt);
      }
    } else {
      isReady = true;
      ready += 1;
      if (ready === Number(count)) process.send?.("ready");
    }
  });
  return app;
});

process.on("message", (request) => {
  if (request === "report") process.send?.(latencies.splice(0));
  if (request === "end") {
    void Promise.all(apps.map((app) => deleteApp(app))).then(() => process.disconnect());
  }
});
