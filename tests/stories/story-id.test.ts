import { expect, test } from "vitest";

import { isPublishedId } from "#app/stories/stories.server.ts";
import { createStoryId } from "#app/stories/story-id.server.ts";

test.each([
  ["The Lamplighter’s Orchard", "the-lamplighters-orchard"],
  ["Straße nach Ærø", "strasse-nach-aero"],
  ["Łódź · Tiếng Việt", "lodz-tieng-viet"],
  ["Война и мир", "voina-i-mir"],
  ["Щедрый Ёжик", "shchedryi-ezhik"],
  ["Ελλάδα", "ellada"],
  ["北京の夜", "story"],
  ["…", "story"],
])("the address of “%s” begins with %s", (title, slug) => {
  const id = createStoryId(title);

  expect(id.slice(0, -10)).toBe(`${slug}-`);
  expect(isPublishedId(id)).toBe(true);
});
