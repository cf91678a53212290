import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Avatar } from "#app/ui/avatar.tsx";
import { getAttribute } from "./render.tsx";

test("renders nothing without a photo, not even initials", () => {
  expect(renderToString(<Avatar src={null} />)).toBe("");
});

test("sends no referrer to the photo's host", () => {
  const html = renderToString(<Avatar src="https://example.com/mira.jpg" />);

  expect(getAttribute(html, /^<img/, "src")).toBe("https://example.com/mira.jpg");
  expect(getAttribute(html, /^<img/, "referrerPolicy")).toBe("no-referrer");
});
