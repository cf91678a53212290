import { expect, test } from "vitest";

import { getClock } from "#app/site/locale/locale.server.ts";

const env = {
  SESSION_SECRET: "a secret that is at least 32 characters",
  FIREBASE_API_KEY: "local",
  FIREBASE_PROJECT_ID: "demo-inkglade",
  FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099",
  FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:9000",
};

function read(language: string, timezone?: unknown, variables = {}) {
  const request = new Request("http://localhost/home", {
    headers: { "Accept-Language": language },
  });
  return getClock(request, { cloudflare: { env: { ...env, ...variables }, cf: { timezone } } });
}

test("uses the user's language and time zone", () => {
  expect(read("de-CH,de;q=0.9,en;q=0.8", "Asia/Tokyo")).toEqual({
    locale: "de-CH",
    timeZone: "Asia/Tokyo",
  });
});

test.each([
  ["", undefined],
  ["*", 5],
  ["not a language", "Nowhere/Atall"],
  ["x".repeat(1000), ""],
])(
  "falls back to English and UTC for the language %j and the time zone %j",
  (language, timezone) => {
    expect(read(language, timezone)).toEqual({ locale: "en", timeZone: "UTC" });
  },
);

test("TIME_ZONE sets the time zone where the request has no location", () => {
  const clock = read("en", "America/Chicago", { TIME_ZONE: "Europe/Zurich" });

  expect(clock.timeZone).toBe("Europe/Zurich");
});
