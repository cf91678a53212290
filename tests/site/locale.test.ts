import { expect, test } from "vitest";

import { getLocale } from "#app/site/locale/locale.server.ts";

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
  return getLocale(request, { cloudflare: { env: { ...env, ...variables }, cf: { timezone } } });
}

test("uses the visitor's language and time zone", () => {
  expect(read("de-CH,de;q=0.9,en;q=0.8", "Asia/Tokyo")).toEqual({
    language: "de-CH",
    timeZone: "Asia/Tokyo",
  });
});

test.each([
  ["en-x-any", "en"],
  ["en-US-x-any", "en-US"],
  ["de-DE-1996", "de-DE"],
  ["fr-u-ca-buddhist", "fr"],
  ["zh-TW", "zh-TW"],
])("writes dates for %j as for %j, which limits the number of cached pages", (tag, language) => {
  expect(read(tag).language).toBe(language);
});

test.each([
  ["", undefined],
  ["*", 5],
  ["not a language", "Nowhere/Atall"],
  ["x".repeat(1000), ""],
])("falls back to English and UTC for the language %j and the zone %j", (language, timezone) => {
  expect(read(language, timezone)).toEqual({ language: "en", timeZone: "UTC" });
});

test("looks for a known language only among the first ten", () => {
  expect(read(`${"qaa,".repeat(9)}de`).language).toBe("de");
  expect(read(`${"qaa,".repeat(10)}de`).language).toBe("en");
});

test("prefers the time zone in the environment variables", () => {
  const locale = read("en", "America/Chicago", { TIME_ZONE: "Europe/Zurich" });

  expect(locale.timeZone).toBe("Europe/Zurich");
});
