import { expect, test } from "vitest";

import {
  findUnpublishable,
  MAX_DESCRIPTION_LENGTH,
  MAX_STORY_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_TITLE_LENGTH,
} from "#app/writing/draft.ts";
import { draftContentSchema, draftTargetSchema } from "#app/writing/draft-schema.ts";

const LINK = "https://example.com/";

const tags = (count: number) => Array.from({ length: count }, (_, n) => `tag ${n}`).join(",");

test("an empty form is a draft without content", () => {
  const empty = { title: "", description: "", tags: [], cover: null, text: "" };

  expect(draftContentSchema.parse({})).toEqual(empty);
  expect(draftContentSchema.parse({ ...empty, tags: " , ", cover: " " })).toEqual(empty);
});

test("leaves the text as it is", () => {
  const text = "# One\n\n  two \ttrailing  \nthree\n\n";

  expect(draftContentSchema.parse({ text }).text).toBe(text);
});

test("accepts a link to a picture or the number of a drawing as a cover", () => {
  for (const cover of ["https://example.com/salt.jpg", "drawing:0", "drawing:71"]) {
    expect(draftContentSchema.parse({ cover }).cover).toBe(cover);
  }
});

test("makes a title one line, and removes duplicate tags", () => {
  const form = { title: "  Salt\n and   Sand ", tags: "sea, slow ,, sea,  a  tide" };

  expect(draftContentSchema.parse(form)).toMatchObject({
    title: "Salt and Sand",
    tags: ["sea", "slow", "a tide"],
  });
});

test.each<[field: string, longest: string, tooLong: string, message: string]>([
  [
    "title",
    "é".repeat(MAX_TITLE_LENGTH),
    "é".repeat(MAX_TITLE_LENGTH + 1),
    "A title can have up to 255 characters.",
  ],
  [
    "description",
    "x".repeat(MAX_DESCRIPTION_LENGTH),
    "x".repeat(MAX_DESCRIPTION_LENGTH + 1),
    "A description can have up to 1,250 characters.",
  ],
  [
    "tags",
    "x".repeat(MAX_TAG_LENGTH),
    "x".repeat(MAX_TAG_LENGTH + 1),
    "A tag can have up to 40 characters.",
  ],
  ["cover", LINK.padEnd(2000, "x"), LINK.padEnd(2001, "x"), "This link is too long."],
  ["tags", tags(MAX_TAGS), tags(MAX_TAGS + 1), "A story can have up to 10 tags."],
  [
    "text",
    "😀".repeat(MAX_STORY_LENGTH / 2),
    "😀".repeat(MAX_STORY_LENGTH / 2 + 1),
    "A story can have up to 500,000 characters. Split it in two.",
  ],
])(
  "%s: accepts the longest, and rejects a longer one with a message",
  (field, longest, tooLong, message) => {
    expect(draftContentSchema.safeParse({ [field]: longest }).success).toBe(true);
    expect(draftContentSchema.safeParse({ [field]: tooLong }).error?.issues[0]?.message).toBe(
      message,
    );
  },
);

// Firestore's rules require the beginning as it is written here.
test.each([
  "http://example.com/a.png",
  "HTTPS://example.com/a.png",
  "https:/example.com/a.png",
  "https:example.com/a.png",
  "https://example.com/\na.png",
  "javascript:alert(1)",
  "a picture",
])("rejects the cover %j", (cover) => {
  expect(draftContentSchema.safeParse({ cover }).error?.issues[0]?.message).toBe(
    "A cover link must begin with https://",
  );
});

test("rejects a form without a valid id or revision as incomplete", () => {
  const id = "a".repeat(20);
  expect(draftTargetSchema.parse({ id, revision: "3" })).toEqual({ id, revision: 3 });

  for (const form of [{}, { id }, { id: "../x", revision: "1" }, { id, revision: "-1" }]) {
    expect(draftTargetSchema.safeParse(form).error?.issues[0]?.message).toBe(
      "The form is incomplete. Reload the page and try again.",
    );
  }
});

test("requires a title and a first line for a publication", () => {
  const empty = draftContentSchema.parse({});

  expect(findUnpublishable(empty)).toEqual({
    field: "title",
    hint: "Give your story a title first.",
  });
  expect(findUnpublishable({ ...empty, title: "Salt", text: " \n" })).toEqual({
    field: "text",
    hint: "Write a first line before you publish.",
  });
  expect(findUnpublishable({ ...empty, title: "Salt", text: "The tide" })).toBeUndefined();
});
