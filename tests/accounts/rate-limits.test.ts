import { expect, test } from "vitest";

import { createSignInLimits } from "#app/accounts/rate-limits.server.ts";

const env = { SESSION_SECRET: "a secret that is at least 32 characters" };

function createAttempts(bindings: object = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const attempts = createSignInLimits(env, bindings, () => clock.now);

  /** Returns whether another action is allowed. */
  const isAdmitted = (from: string, email: string, attempt: "sign-in" | "reset" = "sign-in") => {
    const headers = from ? { "CF-Connecting-IP": from } : undefined;
    const request = new Request("https://inkglade.example/login", { headers });
    return attempts.consume(request, attempt, email).then(
      () => true,
      ({ code }) => {
        expect(code).toBe("too-many-requests");
        return false;
      },
    );
  };
  return { clock, isAdmitted };
}

/** Returns how many actions in a row are allowed. */
async function count(tryOnce: (index: number) => Promise<boolean>): Promise<number> {
  for (let index = 0; index < 100; index += 1) if (!(await tryOnce(index))) return index;
  throw new Error("Nothing ends it");
}

test("one account has five sign-ins a minute from one address, in any letter case", async () => {
  const { isAdmitted, clock } = createAttempts();
  const spellings = ["ana@example.com", "ANA@example.com", " ana@Example.com "];

  expect(await count((index) => isAdmitted("192.0.2.1", spellings[index % 3] ?? ""))).toBe(5);

  clock.now += 59_999;
  expect(await isAdmitted("192.0.2.1", "ana@example.com")).toBe(false);
  clock.now += 1;
  expect(await count(() => isAdmitted("192.0.2.1", "ana@example.com"))).toBe(5);
});

test("one address has thirty sign-ins a minute over all accounts", async () => {
  const { isAdmitted } = createAttempts();

  const tries = await count((index) => isAdmitted("192.0.2.1", `${Math.floor(index / 5)}@x.org`));

  expect(tries).toBe(30);
  expect(await isAdmitted("192.0.2.2", "0@x.org")).toBe(true);
});

test("an attacker who is stopped does not lock the user out", async () => {
  const { isAdmitted } = createAttempts();

  for (let index = 0; index < 100; index += 1) await isAdmitted("192.0.2.1", "ana@example.com");

  expect(await isAdmitted("192.0.2.2", "ana@example.com")).toBe(true);
});

test("one account has thirty sign-ins a minute from all addresses", async () => {
  const { isAdmitted } = createAttempts();

  expect(await count((index) => isAdmitted(`192.0.2.${index}`, "ana@example.com"))).toBe(30);
});

test.each([
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff::1", false],
  ["2001:db8:1:2::1", "2001:0DB8:0001:0002:0:0:0:1", false],
  ["2001:db8::1", "2001:db8:0:0:5::", false],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", true],
])("to %s, %s is another address: %s", async (one, other, isOther) => {
  const { isAdmitted } = createAttempts();
  await count(() => isAdmitted(one, "ana@example.com"));

  expect(await isAdmitted(other, "ana@example.com")).toBe(isOther);
});

test("each kind of action is counted separately", async () => {
  const { isAdmitted } = createAttempts();
  await count(() => isAdmitted("192.0.2.1", "ana@example.com"));

  expect(await isAdmitted("192.0.2.1", "ana@example.com", "reset")).toBe(true);
});

test("on the local machine only accounts are limited", async () => {
  const { isAdmitted } = createAttempts();

  for (let index = 0; index < 60; index += 1) {
    expect(await isAdmitted(["", "127.0.0.1", "::1"][index % 3] ?? "", `${index}@x.org`)).toBe(
      true,
    );
  }
  expect(await count(() => isAdmitted("", "ana@example.com"))).toBe(5);
});

test("the memory is bounded: the oldest keys are deleted", async () => {
  const { isAdmitted } = createAttempts();
  await count(() => isAdmitted("", "ana@example.com"));

  for (let index = 0; index < 10_000; index += 1) await isAdmitted("", `${index}@x.org`);

  expect(await isAdmitted("", "ana@example.com")).toBe(true);
});

test("uses the bindings, whose keys reveal neither address nor account", async () => {
  const keys: string[] = [];
  const binding = (success: boolean) => ({
    limit({ key }: { key: string }) {
      keys.push(key);
      return Promise.resolve({ success });
    },
  });
  const open = createAttempts({ ATTEMPTS_STRICT: binding(true), ATTEMPTS_LOOSE: binding(true) });
  const shut = createAttempts({ ATTEMPTS_STRICT: binding(true), ATTEMPTS_LOOSE: binding(false) });

  for (let index = 0; index < 10; index += 1) {
    expect(await open.isAdmitted("192.0.2.1", "ana@example.com")).toBe(true);
  }
  expect(await shut.isAdmitted("192.0.2.1", "ana@example.com")).toBe(false);

  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^[\da-f]{64}$/);
});

test("falls back to the local limit when a binding fails", async () => {
  const broken = { limit: () => Promise.reject(new Error("down")) };
  const { isAdmitted } = createAttempts({ ATTEMPTS_STRICT: broken, ATTEMPTS_LOOSE: broken });

  expect(await count(() => isAdmitted("192.0.2.1", "ana@example.com"))).toBe(5);
});
