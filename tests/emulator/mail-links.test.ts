import { expect, test } from "vitest";

import { readFirebaseJson } from "#emulator/firebase-json.ts";
import { startFirebase } from "#emulator/firebase.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";

const email = "ana@example.com";

test.each([
  ["the app's own page", () => "http://127.0.0.1:8788/login", "http://127.0.0.1:8788/login?"],
  ["the Auth server when there is no app", undefined, "http://127.0.0.1:"],
])("prints the link that production would e-mail, to %s", async (_where, actionUrl, start) => {
  const logged: string[] = [];
  await using firebase = await startFirebase({
    ...(await readFirebaseJson("firebase.json")),
    ports: { auth: 0, firestore: 0, database: 0 },
    projectId: LOCAL_PROJECT_ID,
    actionUrl,
    log: (message) => logged.push(message),
  });
  const api = `http://${firebase.hosts.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1`;
  const send = (method: string, body: object) =>
    fetch(`${api}/accounts:${method}?key=local`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  await send("signUp", { email, password: "correct horse" });

  await send("sendOobCode", { requestType: "PASSWORD_RESET", email });

  await expect.poll(() => logged).toHaveLength(1);
  const [message = ""] = logged;
  expect(message).toContain(`To reset the password for ${email}, follow this link: ${start}`);
  const { searchParams } = new URL(message.slice(message.indexOf("http")));
  expect(searchParams.get("mode")).toBe("resetPassword");
  expect(searchParams.get("oobCode")).toMatch(/^oob-/);
});
