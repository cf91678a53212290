import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Avatar } from "#app/ui/avatar.tsx";
import { getAttribute } from "./render.tsx";

test("without a photo there is nothing, not even initials", () => {
  expect(renderToString(<Avatar src={null} />)).toBe("");
});

test("whoever hosts the photo is not told the page", () => {
  const html = renderToString(<Avatar src="https://example.com/mira.jpg" />);

  expect(getAttribute(html, /^<img/, "src")).toBe("https://example.com/mira.jpg");
  expect(getAttribute(html, /^<img/, "referrerPolicy")).toBe("no-referrer");
});
