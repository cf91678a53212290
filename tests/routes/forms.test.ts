import { expect, test } from "vitest";

import { action } from "#app/routes/login.tsx";
import { startApp } from "#tests/support/routes.ts";

test("a body that is no form is refused", async () => {
  await using app = await startApp();

  const response = await app.send(action, "/login", {
    body: JSON.stringify({ email: "ana@example.com" }),
    headers: { "Content-Type": "application/json" },
  });

  expect(response).toMatchObject({ status: 415, data: { message: expect.any(String) } });
});

test("a damaged form is refused", async () => {
  await using app = await startApp();

  const response = await app.send(action, "/login", {
    body: "--x\r\nContent-Disposition: nonsense",
    headers: { "Content-Type": "multipart/form-data; boundary=y" },
  });

  expect(response).toMatchObject({ status: 400, data: { message: expect.any(String) } });
});

test("an oversized form is refused, even when it hides its size", async () => {
  await using app = await startApp();

  const response = await app.send(action, "/login", {
    body: new Blob(["text=", "x".repeat(100_000)]).stream(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });

  expect(response).toMatchObject({ status: 413, data: { message: expect.any(String) } });
});
