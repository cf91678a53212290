import { expect, test } from "vitest";

import { UnavailableStory } from "#app/reading/reader/placeholder.tsx";
import { renderPage } from "#tests/ui/render.tsx";

test("explains that a story cannot be loaded, and links to the page", () => {
  const html = renderPage("/read/a-b", <UnavailableStory path="/read/a-b" />);

  expect(html).toContain("We can&#x27;t load this story right now. Nothing was lost");
  expect(html).toMatch(/<a[^>]*href="\/read\/a-b"[^>]*>Try again<\/a>/);
});
