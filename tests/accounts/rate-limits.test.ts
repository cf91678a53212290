import { expect, test } from "vitest";

import { createSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { createRateLimits } from "#app/session/rate-limit.server.ts";

const env = { SESSION_SECRET: "a secret that is at least 32 characters" };

function createTestLimits(bindings: object = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const limits = createSignInLimits(
    env,
    createRateLimits(bindings, () => clock.now),
  );

  /** Counts an action, and returns whether it is allowed. */
  const isAllowed = (ip: string, email: string, action: "sign-in" | "reset" = "sign-in") => {
    const headers = ip ? { "CF-Connecting-IP": ip } : undefined;
    const request = new Request("https://inkglade.example/login", { headers });
    return limits.consume(request, action, email).then(
      () => true,
      ({ code }) => {
        expect(code).toBe("too-many-requests");
        return false;
      },
    );
  };
  return { clock, isAllowed };
}

/** Returns how many actions in a row are allowed. */
async function countAllowed(tryOnce: (index: number) => Promise<boolean>): Promise<number> {
  for (let index = 0; index < 100; index += 1) if (!(await tryOnce(index))) return index;
  throw new Error("Every action was allowed");
}

test("allows five sign-ins a minute to one account from one address, in any letter case", async () => {
  const { isAllowed, clock } = createTestLimits();
  const spellings = ["ana@example.com", "ANA@example.com", " ana@Example.com "];

  expect(await countAllowed((index) => isAllowed("192.0.2.1", spellings[index % 3] ?? ""))).toBe(5);

  clock.now += 59_999;
  expect(await isAllowed("192.0.2.1", "ana@example.com")).toBe(false);
  clock.now += 1;
  expect(await countAllowed(() => isAllowed("192.0.2.1", "ana@example.com"))).toBe(5);
});

test("allows thirty sign-ins a minute from one address to all accounts together", async () => {
  const { isAllowed } = createTestLimits();

  const tries = await countAllowed((index) =>
    isAllowed("192.0.2.1", `${Math.floor(index / 5)}@x.org`),
  );

  expect(tries).toBe(30);
  expect(await isAllowed("192.0.2.2", "0@x.org")).toBe(true);
});

test("blocking an attacker does not lock the user out", async () => {
  const { isAllowed } = createTestLimits();

  for (let index = 0; index < 100; index += 1) await isAllowed("192.0.2.1", "ana@example.com");

  expect(await isAllowed("192.0.2.2", "ana@example.com")).toBe(true);
});

test("allows thirty sign-ins a minute to one account from all addresses together", async () => {
  const { isAllowed } = createTestLimits();

  expect(await countAllowed((index) => isAllowed(`192.0.2.${index}`, "ana@example.com"))).toBe(30);
});

test.each([
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff::1", false],
  ["2001:db8:1:2::1", "2001:0DB8:0001:0002:0:0:0:1", false],
  ["2001:db8::1", "2001:db8:0:0:5::", false],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", true],
])("treats %s and %s as different addresses: %s", async (one, other, isOther) => {
  const { isAllowed } = createTestLimits();
  await countAllowed(() => isAllowed(one, "ana@example.com"));

  expect(await isAllowed(other, "ana@example.com")).toBe(isOther);
});

test("counts each kind of action separately", async () => {
  const { isAllowed } = createTestLimits();
  await countAllowed(() => isAllowed("192.0.2.1", "ana@example.com"));

  expect(await isAllowed("192.0.2.1", "ana@example.com", "reset")).toBe(true);
});

test("on the local machine, limits each account but not the address", async () => {
  const { isAllowed } = createTestLimits();

  for (let index = 0; index < 60; index += 1) {
    expect(await isAllowed(["", "127.0.0.1", "::1"][index % 3] ?? "", `${index}@x.org`)).toBe(true);
  }
  expect(await countAllowed(() => isAllowed("", "ana@example.com"))).toBe(5);
});

test("deletes the oldest keys to limit memory", async () => {
  const { isAllowed } = createTestLimits();
  await countAllowed(() => isAllowed("", "ana@example.com"));

  for (let index = 0; index < 10_000; index += 1) await isAllowed("", `${index}@x.org`);

  expect(await isAllowed("", "ana@example.com")).toBe(true);
});

test("passes keys to the bindings that reveal neither address nor account", async () => {
  const keys: string[] = [];
  const binding = (success: boolean) => ({
    limit({ key }: { key: string }) {
      keys.push(key);
      return Promise.resolve({ success });
    },
  });
  const allowing = createTestLimits({
    ATTEMPTS_STRICT: binding(true),
    ATTEMPTS_LOOSE: binding(true),
  });
  const denying = createTestLimits({
    ATTEMPTS_STRICT: binding(true),
    ATTEMPTS_LOOSE: binding(false),
  });

  for (let index = 0; index < 10; index += 1) {
    expect(await allowing.isAllowed("192.0.2.1", "ana@example.com")).toBe(true);
  }
  expect(await denying.isAllowed("192.0.2.1", "ana@example.com")).toBe(false);

  expect(new Set(keys).size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^[a-z-]+ [\da-f]{64}$/);
});

test("falls back to the local limit when a binding fails", async () => {
  const broken = { limit: () => Promise.reject(new Error("down")) };
  const { isAllowed } = createTestLimits({ ATTEMPTS_STRICT: broken, ATTEMPTS_LOOSE: broken });

  expect(await countAllowed(() => isAllowed("192.0.2.1", "ana@example.com"))).toBe(5);
});
