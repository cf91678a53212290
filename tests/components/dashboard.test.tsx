import { expect, test } from "vitest";

import { Dashboard } from "#app/features/stories/dashboard.tsx";
import { getAttribute, renderPage } from "./render.tsx";

const nothing = { query: "", type: undefined, findings: [] };
const book = { id: "a/b?c", title: "A Book", coverPhoto: "/a.svg" };

function render(books: (typeof book)[]) {
  return renderPage(
    "/home",
    <Dashboard books={books} begun={[]} search={nothing} newStories={[]} questNotice={null} />,
  );
}

test("without books both sections say so, and offer to try again", () => {
  const html = render([]);

  expect(html.match(/No stories here yet/g)).toHaveLength(2);
  expect(html).toMatch(/<a[^>]*href="\/home"[^>]*>Try again<\/a>/);
  expect(html).toMatch(/<a[^>]*href="\/home#books-and-quests"[^>]*>Start reading<\/a>/);
});

test("only the covers that are seen first are asked for at once, and all have their size", () => {
  const html = render(Array.from({ length: 12 }, (_, index) => ({ ...book, id: `${index}` })));
  const images = html.match(/<img[^>]*>/g) ?? [];

  expect(images.filter((image) => image.includes('fetchpriority="high"'))).toHaveLength(3);
  expect(images.filter((image) => image.includes('loading="lazy"'))).toHaveLength(
    images.length - 3,
  );
  for (const image of images) expect(image).toMatch(/alt="" width="600" height="900"/);
});

test("a book without a cover is drawn, the same each time, and only its title is read out", () => {
  const html = render([{ ...book, coverPhoto: "" }]);

  expect(html).not.toContain("<img");
  expect(html).toBe(render([{ ...book, coverPhoto: "" }]));
  expect(getAttribute(html, /--turn/, "aria-hidden")).toBe("true");
  expect(getAttribute(html, /^<use/, "href")).toMatch(/^\/assets\/covers\/motifs\.svg#m[0-5]$/);
  expect(html).toContain('href="/read/a%2Fb%3Fc"');
});
