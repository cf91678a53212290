import { expect, test } from "vitest";

import { Link } from "#app/ui/link.tsx";
import { findTag, getAttribute, renderPage } from "./render.tsx";

test("a link works before hydration", () => {
  const html = renderPage("/", <Link to="/profile">Go to your profile</Link>);

  expect(getAttribute(html, /^<a/, "href")).toBe("/profile");
  expect(getAttribute(html, /^<a/, "data-variant")).toBe("inline");
  expect(findTag(html, /^<a/)).not.toContain("data-quiet");
});

test("a link to the current page is marked as current", () => {
  const html = renderPage(
    "/home",
    <Link to="/home" variant="standalone" aria-current="page">
      Home
    </Link>,
  );

  expect(getAttribute(html, /^<a/, "aria-current")).toBe("page");
  expect(getAttribute(html, /^<a/, "data-variant")).toBe("standalone");
});
