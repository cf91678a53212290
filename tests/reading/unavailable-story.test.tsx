import { expect, test } from "vitest";

import { UnreachableStory } from "#app/reading/reader/unavailable-story.tsx";
import { renderPage } from "#tests/ui/render.tsx";

test("a story that cannot be fetched says so, and its page can be asked for again", () => {
  const html = renderPage("/read/a-b", <UnreachableStory path="/read/a-b" />);

  expect(html).toContain("We can&#x27;t load this story right now. Nothing was lost");
  expect(html).toMatch(/<a[^>]*href="\/read\/a-b"[^>]*>Try again<\/a>/);
});
