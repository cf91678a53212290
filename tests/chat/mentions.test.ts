import fc from "fast-check";
import { expect, test } from "vitest";

import { findTypedMention, splitMentions, createNames } from "#app/chat/mentions/mentions.ts";

const USER = { uid: "robin", displayName: "Robin Vale" };

function toNames(...names: string[]) {
  const people = names.map((displayName, index) => ({ uid: `person-${index}`, displayName }));
  return createNames([...people, USER], { uid: USER.uid, hiddenUids: new Set(["person-9"]) });
}

const ROOM = toNames(
  "Ana",
  "Ana Maria",
  "Tomas",
  "José",
  "田中",
  "أنا",
  "*",
  "(.*)+$",
  "👍👍",
  "Hidden Wren",
);

function findMentions(text: string, names = ROOM): string[] {
  return splitMentions(text, names).flatMap((part) => (part.mention ? [part.text] : []));
}

test.each([
  ["@Ana", ["@Ana"]],
  ["Ask @Tomas, he counted them.", ["@Tomas"]],
  ["@Ana Maria and @Ana.", ["@Ana Maria", "@Ana"]],
  ["@Ana Marias", ["@Ana"]],
  ["@ana maria @TOMAS", ["@ana maria", "@TOMAS"]],
  ["(@Ana) “@Tomas” ¿@José? 👋@Ana —@Tomas", ["@Ana", "@Tomas", "@José", "@Ana", "@Tomas"]],
  ["@Ana's @Ana’s", ["@Ana", "@Ana"]],
  ["one\n@Ana\ntwo", ["@Ana"]],
  ["你好@田中，谢谢", ["@田中"]],
  ["مرحبا @أنا، شكرا", ["@أنا"]],
  ["@* and @(.*)+$ and @👍👍", ["@*", "@(.*)+$", "@👍👍"]],
])("finds the mentions in %j", (text, mentions) => {
  expect(findMentions(text)).toEqual(mentions);
});

test.each([
  "Ana",
  "@Anabel",
  "@Ana_",
  "@Ana9",
  "@Anaïs",
  "@Ana\u0301",
  "@Ana-Lena",
  "@田中さん",
  "@👍👍🏽",
  "@ Ana",
  "@Wren",
  "@Anonymous",
  "ana@Tomas",
  "ana@Tomas.example",
  "ana.@Tomas",
  "@Tomas@example.org",
  "@Tomas.example",
  "example.org/@Tomas",
  "@@Tomas",
  "@\nAna",
  "@Hidden Wren",
  "@.*",
])("finds no mention in %j", (text) => {
  expect(findMentions(text)).toEqual([]);
});

test("tells the user's own name apart, also when another person has it", () => {
  const parts = splitMentions("@Robin Vale, @Ana", toNames("Robin Vale", "Ana"));
  expect(parts).toEqual([
    { text: "@Robin Vale", start: 0, mention: "own" },
    { text: ", ", start: 11 },
    { text: "@Ana", start: 13, mention: "other" },
  ]);
});

test("the name of a person who is hidden is a name while another person has it", () => {
  const names = toNames("a", "b", "c", "d", "e", "f", "g", "h", "Wren", "Wren");
  expect(findMentions("@Wren", names)).toEqual(["@Wren"]);
  expect(names.others.filter((name) => name === "Wren")).toHaveLength(1);
});

test("lists each other person's name once, in one line, without anonymous people", () => {
  const names = toNames(
    "Ana",
    " Ana",
    "Ana\n\u202eMaria",
    "Anonymous",
    "\u200b",
    "x".repeat(81),
    "Ana",
  );
  expect(names.others).toEqual(["Ana", "Ana Maria"]);
});

test("the parts of any text are the text, and each mention is a known name", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "@",
      "@Ana",
      "@Ana Maria",
      "@a",
      " ",
      "\n",
      ".",
      "(",
      "@*",
      "@ß",
      "@İ",
      "👍",
      "\u200d",
    ),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));
  const name = fc.oneof(
    fc.constantFrom("Ana", "Ana Maria", "*", "a@Ana", "@", "İ", "ß", "[a-z]+", "\\"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 8 }),
  );
  fc.assert(
    fc.property(text, fc.array(name, { maxLength: 8 }), (value, list) => {
      const names = toNames(...list);
      const parts = splitMentions(value, names);
      expect(parts.map((part) => part.text).join("")).toBe(value);
      const known = new Set([...names.others, USER.displayName].map(fold));
      const others = parts.filter((part) => part.mention && !known.has(fold(part.text.slice(1))));
      expect(others).toEqual([]);
    }),
  );
});

test("finds up to fifty mentions in a text", () => {
  expect(findMentions("@Ana ".repeat(60))).toHaveLength(50);
});

test("the names stay the same when somebody writes again", () => {
  expect(toNames("Ana", "Ana", "Tomas").key).toBe(toNames("Ana", "Tomas").key);
  expect(toNames("Ana", "Tomas").key).not.toBe(toNames("Ana").key);
});

test("fifty messages with thousands of mentions each, and hundreds of names, take little time", () => {
  const text = "@a ".repeat(1333);
  const long = Array.from({ length: 500 }, (_, index) => `${"a @".repeat(25)}${index}`);
  const names = toNames(...long);
  const start = performance.now();
  for (let message = 0; message < 50; message += 1) splitMentions(text, names);
  expect(performance.now() - start).toBeLessThan(2000);
});

test.each([
  ["@", { start: 0, query: "" }],
  ["Hi @an", { start: 3, query: "an" }],
  ["(@Ana Ma", { start: 1, query: "Ana Ma" }],
  ["x@y @An", { start: 4, query: "An" }],
  ["مرحبا @أن", { start: 6, query: "أن" }],
  ["", null],
  ["ana@example", null],
  ["@Ana ana@example", null],
  ["@ ", null],
  ["@Ana\n", null],
  ["@@", null],
  [`@${"a".repeat(81)}`, null],
])("the mention that is typed at the end of %j", (text, mention) => {
  expect(findTypedMention(text)).toEqual(mention);
});

/** Lower case, one character at a time, because some letters change at the end of a word. */
function fold(text: string): string {
  return Array.from(text, (character) => character.toLowerCase()).join("");
}
