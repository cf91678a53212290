import { expect, test } from "vitest";

import { isEmojiOnly, linkify } from "#app/chat/panel/message-text.tsx";

function findLinks(text: string): string[] {
  return linkify(text).flatMap((part) => (part.href === undefined ? [] : [part.text]));
}

test.each([
  ["https://example.org", "https://example.org"],
  ["HTTP://Example.org/Path", "HTTP://Example.org/Path"],
  ["The street is real: https://example.org/tallow-street.", "https://example.org/tallow-street"],
  ["(see https://example.org/a_(b)).", "https://example.org/a_(b)"],
  ["https://example.org/?q=a&b=c#d, or so", "https://example.org/?q=a&b=c#d"],
  ["“https://example.org/x”", "https://example.org/x"],
  ["<https://example.org/x>", "https://example.org/x"],
  ["**https://example.org/x**", "https://example.org/x"],
  ["Ort: https://münchen.example/straße", "https://münchen.example/straße"],
  ["see\nhttp://localhost:8788/x?y\nnow", "http://localhost:8788/x?y"],
  ["请看https://example.com/foo，谢谢", "https://example.com/foo"],
  ["https://example.com/foo，谢谢", "https://example.com/foo"],
  ["https://example.com/foo谢谢", "https://example.com/foo"],
  ["https://example.com谢谢", "https://example.com"],
  ["（https://example.com/foo）。", "https://example.com/foo"],
  ["「https://example.com/foo」を見て", "https://example.com/foo"],
  ["https://example.com/fooを見て", "https://example.com/foo"],
  ["https://example.com/foo를 보세요", "https://example.com/foo"],
  ["смотриhttps://example.com/foo, там", "https://example.com/foo"],
  ["انظر https://example.com/foo، شكرا", "https://example.com/foo"],
  ["https://example.com/foo؟", "https://example.com/foo"],
  ["देखोhttps://example.com/foo।", "https://example.com/foo"],
  ["„https://example.com/foo‟", "https://example.com/foo"],
  ["«https://example.com/foo»", "https://example.com/foo"],
  ["‘https://example.com/foo’", "https://example.com/foo"],
  ["https://example.com/foo—then", "https://example.com/foo"],
  ["https://example.com/foo–then", "https://example.com/foo"],
  ["https://example.com/foo🌿", "https://example.com/foo"],
  ["https://example.com/foo\u200Bbar", "https://example.com/foo"],
  ["https://example.com/foo｜bar", "https://example.com/foo"],
  ["https://例子.中国/路径?问=答#段", "https://例子.中国/路径?问=答#段"],
  ["https://ja.wikipedia.org/wiki/日本語。", "https://ja.wikipedia.org/wiki/日本語"],
  ["https://ru.wikipedia.org/wiki/Война_и_мир.", "https://ru.wikipedia.org/wiki/Война_и_мир"],
  ["https://fr.example/de\u0301ja\u0300-vu", "https://fr.example/de\u0301ja\u0300-vu"],
  ["https://fa.example/می\u200Cروم", "https://fa.example/می\u200Cروم"],
  ["https://youtu.be/a-b_c-", "https://youtu.be/a-b_c-"],
])("finds the address in %j", (text, address) => {
  expect(findLinks(text)).toEqual([address]);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,<b>x</b>",
  "ftp://example.org",
  "//example.org",
  "example.org/tallow-street",
  "xhttps://example.org",
  "éhttps://example.org",
  "1https://example.org",
  "https://",
  "https://?",
  "https://[",
  "https://example.org@evil.example/",
  "https://user:password@evil.example/",
  "javascript:'https:'//",
  "<b>bold</b> **bold** [a](b)",
  "",
])("leaves %j as it is", (text) => {
  expect(findLinks(text)).toEqual([]);
  expect(linkify(text)).toEqual(text === "" ? [] : [{ text, start: 0 }]);
});

test("ends an address at a mark that changes the direction of the text", () => {
  expect(findLinks("https://example.org/\u202Egpj.exe")).toEqual(["https://example.org/"]);
});

test("finds several addresses, and changes no character of the text", () => {
  const text = "One http://a.example, two https://b.example/?x=(1)\n and <b>three</b>!";

  const parts = linkify(text);

  expect(parts.map((part) => part.text).join("")).toBe(text);
  expect(parts.map((part) => part.start)).toEqual(parts.map((part) => text.indexOf(part.text)));
  expect(parts.map(({ href }) => href)).toEqual([
    undefined,
    "http://a.example/",
    undefined,
    "https://b.example/?x=(1)",
    undefined,
  ]);
});

test.each([
  ["brackets", `https://example.org/${")".repeat(3980)}`],
  ["punctuation", `https://example.org/${".".repeat(3980)}`],
  ["addresses", "http://a ".repeat(440)],
  ["addresses between letters of two scripts", "谢https://a谢".repeat(330)],
  ["letters of two scripts", `https://${"a谢/".repeat(1300)}`],
  ["combining marks", `https://a/${"\u0301".repeat(3980)}`],
  ["emoji and spaces", `🌿🌿${" ".repeat(3990)}x`],
])("reads a message full of %s within 50 ms of CPU time", (_what, text) => {
  // CPU time, because elapsed time depends on how busy the machine is.
  const start = process.cpuUsage();
  linkify(text);
  isEmojiOnly(text);
  expect(process.cpuUsage(start).user).toBeLessThan(50_000);
});

test.each(["🌿", "🏮🍐🏮", "🏮 🍐\n🏮", "👩‍👩‍👧‍👦", "👋🏽", "☝🏽", "❤️", "🇵🇹🇧🇷", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👁️‍🗨️", "🏳️‍🌈"])(
  "%s is emoji alone",
  (text) => {
    expect(isEmojiOnly(text)).toBe(true);
  },
);

test.each(["🌿🌿🌿🌿", "a 🌿", "🌿!", "1", "123", "#", "©", "☺", "\u200D", "🇵", ""])(
  "%j is not one to three emoji alone",
  (text) => {
    expect(isEmojiOnly(text)).toBe(false);
  },
);
