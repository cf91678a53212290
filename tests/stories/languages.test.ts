import { expect, test } from "vitest";

import { getDirection } from "#app/stories/language-attributes.ts";
import { chooseLanguage, findLanguage, LANGUAGES } from "#app/stories/languages.ts";

test("each language has a tag that browsers know, with the direction of its script", () => {
  for (const [tag] of LANGUAGES) {
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    const script = new Intl.Locale(tag).maximize().script ?? "";
    expect([tag, getDirection(tag)]).toEqual([
      tag,
      ["Arab", "Hebr"].includes(script) ? "rtl" : "ltr",
    ]);
  }
  expect(new Set(LANGUAGES.map(([tag]) => tag)).size).toBe(LANGUAGES.length);
});

test.each([
  [["de-AT", "en"], "de"],
  [["pt-BR"], "pt-BR"],
  [["pt-AO"], "pt"],
  [["zh-TW"], "zh-Hant"],
  [["zh-CN"], "zh-Hans"],
  [["no"], "nb"],
  [["tlh", "fr-CA"], "fr"],
  [["tlh", "*", "", undefined], "en"],
  [[], "en"],
])("a new story of a browser with %j is in %s", (languages, expected) => {
  expect(chooseLanguage(languages)).toBe(expected);
});

test.each(["", "xx", "constructor", "en-", "x".repeat(1000), null, 5, ["en"]])(
  "%j is not a language",
  (tag) => {
    expect(findLanguage(tag)).toBeUndefined();
  },
);
