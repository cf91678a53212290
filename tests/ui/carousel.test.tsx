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

test("a carousel says what it is, and is named by its heading", () => {
  const html = render(4);

  expect(getAttribute(html, /^<section/, "aria-roledescription")).toBe("carousel");
  expect(getAttribute(html, /^<section/, "aria-labelledby")).toBe(getAttribute(html, /^<h2/, "id"));
});

test("without scripts it is a list of every item, once, none of them out of reach", () => {
  const html = render(12);

  expect(html.match(/<li/g)).toHaveLength(12);
  expect(html.match(/href=/g)).toHaveLength(12);
  expect(html).not.toContain("inert");
});

test("without scripts there are no keys and no dots, which could do nothing", () => {
  expect(render(12)).not.toContain("<button");
});

test("nothing has been announced before anything has moved", () => {
  expect(render(12)).toMatch(/aria-live="polite"><\/span>/);
});
