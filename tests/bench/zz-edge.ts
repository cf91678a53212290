import { Agent, request } from "node:http";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import { localVariables } from "#emulator/local-project.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { fillRoom } from "#tests/support/fill-room.ts";

await using firebase = await startFirebase();
const person = await firebase.addAccount({ displayName: "Mira Oduya" });
await fillRoom(firebase, person, 50, ["Did anyone else go back and reread the door scene?"]);
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
function get(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      request(url, { agent, headers }, (res) => {
        const chunks: Buffer[] = [];
        res.on("data", (c) => chunks.push(c));
        res.on("end", () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      })
        .on("error", reject)
        .end();
    },
  );
}
async function rate(url: string, headers: Record<string, string>, ms: number) {
  for (let i = 0; i < 30; i++) await get(url, headers);
  let n = 0;
  const end = performance.now() + ms;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (performance.now() < end) {
        await get(url, headers);
        n += 1;
      }
    }),
  );
  return Math.round((n / (performance.now() - start)) * 1000);
}
async function start(vars: Record<string, string>, isWorker = false) {
  return startPages({
    port: await findFreePort(),
    isWorker,
    variables: {
      SESSION_SECRET: "a secret that is at least 32 characters",
      ...localVariables(firebase.hosts),
      ...vars,
    },
    onError: console.error,
  });
}
for (const isWorker of [false, true]) {
  await using on = await start({}, isWorker);
  const a = await get(on.url + "/home");
  const b = await get(on.url + "/home");
  console.log(
    isWorker ? "worker" : "pages",
    a.status,
    a.headers["server-timing"],
    a.headers.etag,
    b.status,
    b.headers["server-timing"],
    b.headers.etag,
    b.headers["content-security-policy"]?.toString().slice(0, 90),
  );
  console.log(
    "304:",
    (await get(on.url + "/home", { "if-none-match": String(b.headers.etag) })).status,
    "same length",
    a.body.length === b.body.length,
    "zeros",
    b.body.includes("00000000-0000"),
  );
  const c = await get(on.url + "/read/what-the-heron-keeps");
  const d = await get(on.url + "/read/what-the-heron-keeps");
  console.log(
    "read",
    c.headers["server-timing"],
    d.headers["server-timing"],
    d.headers["set-cookie"],
  );
  console.log("html lang/time", /<time[^>]*>[^<]*/.exec(b.body)?.[0]);
  if (isWorker) continue;
  await using off = await start({ PAGE_CACHE: "off" });
  for (let round = 0; round < 2; round++) {
    console.log(
      "cached /home",
      await rate(on.url + "/home", {}, 4000),
      "304",
      await rate(on.url + "/home", { "if-none-match": String(b.headers.etag) }, 4000),
      "uncached",
      await rate(off.url + "/home", {}, 4000),
      "bypass by cookie",
      await rate(on.url + "/home", { cookie: "other=1" }, 4000),
      "robots.txt",
      await rate(on.url + "/robots.txt", {}, 4000),
      "/nowhere redirect",
      await rate(on.url + "/nowhere.png", {}, 3000),
    );
  }
}
process.exit(0);
