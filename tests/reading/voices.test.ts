import * as fc from "fast-check";
import { expect, test } from "vitest";

import {
  chooseVoice,
  groupVoices,
  parseVoiceSettings,
  RATES,
  setVoice,
} from "#app/reading/listening/voices.ts";

const VOICES = [
  createVoice("Amélie", "fr-CA"),
  createVoice("Zeynep", "tr-TR"),
  createVoice("Arthur", "en-GB"),
  createVoice("Samantha", "en-US", { default: true }),
  createVoice("Moira", "en_IE"),
];

test("the voices of the story's language come first, and one of them is chosen", () => {
  const { own, others } = groupVoices(VOICES, "en");
  expect(own.map(({ name }) => name)).toEqual(["Arthur", "Samantha", "Moira"]);
  expect(others.map(({ name }) => name)).toEqual(["Amélie", "Zeynep"]);
  expect(chooseVoice(VOICES, "en", undefined)?.name).toBe("Samantha");
  expect(chooseVoice(VOICES, "en-GB", undefined)?.name).toBe("Arthur");
  expect(chooseVoice(VOICES, "en-IE", undefined)?.name).toBe("Moira");
  expect(chooseVoice(VOICES, "fr", undefined)?.name).toBe("Amélie");
});

test("a voice on the device is preferred to a better one that sends the text away", () => {
  const away = { default: true, localService: false };
  const voices = [createVoice("Google", "en-GB", away), createVoice("Fred", "en-US")];
  expect(chooseVoice(voices, "en-GB", undefined)?.name).toBe("Fred");
});

test("the user's choice counts while this browser has the voice", () => {
  expect(chooseVoice(VOICES, "en", "uri:Zeynep")?.name).toBe("Zeynep");
  expect(chooseVoice(VOICES, "en", "uri:gone")?.name).toBe("Samantha");
  expect(chooseVoice(VOICES, "de", undefined)).toBeUndefined();
});

test("remembers a voice for each language, of the last 20", () => {
  let settings = parseVoiceSettings(null);
  for (let index = 0; index < 25; index += 1) {
    settings = setVoice(settings, `${String.fromCodePoint(97 + index)}a-XX`, `uri:${index}`);
  }
  const stored = { rate: 1.25, voices: Object.fromEntries(settings.voices) };
  const parsed = parseVoiceSettings(JSON.stringify(stored));
  expect(parsed.rate).toBe(1.25);
  expect(parsed.voices.size).toBe(20);
  expect(parsed.voices.get("ya")).toBe("uri:24");
  expect(parsed.voices.has("aa")).toBe(false);
});

test("whatever is stored, the speed is one of the choices and the voices are short texts", () => {
  const storedArbitrary = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({
        rate: fc.oneof(fc.double(), fc.constantFrom(...RATES), fc.string()),
        voices: fc.oneof(fc.dictionary(fc.string(), fc.anything()), fc.anything()),
      })
      .map((value) => JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? 0 : inner))),
  );
  fc.assert(
    fc.property(storedArbitrary, (stored) => {
      const { rate, voices } = parseVoiceSettings(stored);
      expect(RATES).toContain(rate);
      expect(voices.size).toBeLessThanOrEqual(20);
      for (const uri of voices.values()) expect(uri.length).toBeLessThanOrEqual(300);
    }),
  );
  const long = JSON.stringify({ rate: 3, voices: { en: "x".repeat(301), ENGLISH: "x" } });
  expect(parseVoiceSettings(long)).toEqual({ rate: 1, voices: new Map() });
});

function createVoice(
  name: string,
  lang: string,
  options: { default?: boolean; localService?: boolean } = {},
) {
  return { name, lang, voiceURI: `uri:${name}`, default: false, localService: true, ...options };
}
