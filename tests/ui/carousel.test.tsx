import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Carousel } from "#app/ui/carousel.tsx";
import { getAttribute } from "./render.tsx";

function render(count: number) {
  return renderToString(
    <Carousel heading="Stories">
      {Array.from({ length: count }, (_, index) => (
        <a key={index} href={`/read/${index}`}>
          Book {index}
        </a>
      ))}
    </Carousel>,
  );
}

test("has the role description “carousel”, and its heading is its name", () => {
  const html = render(4);

  expect(getAttribute(html, /^<section/, "aria-roledescription")).toBe("carousel");
  expect(getAttribute(html, /^<section/, "aria-labelledby")).toBe(getAttribute(html, /^<h2/, "id"));
});

test("lists every item once without JavaScript, and none is inert", () => {
  const html = render(12);

  expect(html.match(/<li/g)).toHaveLength(12);
  expect(html.match(/href=/g)).toHaveLength(12);
  expect(html).not.toContain("inert");
});

test("shows no buttons or dots without JavaScript", () => {
  expect(render(12)).not.toContain("<button");
});

test("announces nothing before it moves", () => {
  expect(render(12)).toMatch(/<span aria-live="polite"[^>]*><\/span>/);
});
