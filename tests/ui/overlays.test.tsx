import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogTrigger } from "#app/ui/dialog.tsx";
import { Menu, MenuItem } from "#app/ui/menu.tsx";
import { ToastRegion } from "#app/ui/toast.tsx";
import { Tooltip } from "#app/ui/tooltip.tsx";
import { findTag, getAttribute } from "./render.tsx";

test("the server renders a dialog closed, and its button does not submit", () => {
  const html = renderToString(
    <DialogTrigger label="Rename…">
      <Dialog title="Rename this draft">Words</Dialog>
    </DialogTrigger>,
  );

  expect(html).toContain("Rename…</button>");
  expect(getAttribute(html, /^<button/, "type")).toBe("button");
  expect(html).not.toContain("Rename this draft");
});

test("a menu button is announced as a collapsed menu", () => {
  const html = renderToString(
    <Menu label="Story">
      <MenuItem>Edit</MenuItem>
    </Menu>,
  );

  expect(html).toContain("Story</button>");
  expect(getAttribute(html, /^<button/, "aria-haspopup")).toBe("true");
  expect(getAttribute(html, /^<button/, "aria-expanded")).toBe("false");
  expect(html).not.toContain("Edit");
});

test("an icon button has the label of its menu as its name", () => {
  const html = renderToString(
    <Menu label="More for this story" icon={<svg />} isDense>
      <MenuItem>Share</MenuItem>
    </Menu>,
  );

  expect(getAttribute(html, /^<button/, "aria-label")).toBe("More for this story");
  expect(getAttribute(html, /^<button/, "data-dense")).toBe("true");
});

test("the server renders an element without its tooltip", () => {
  const html = renderToString(
    <Tooltip content="The next reader sees it at once">
      <Button>Publish</Button>
    </Tooltip>,
  );

  expect(html).toContain("Publish</button>");
  expect(findTag(html, /^<button/)).not.toContain("aria-describedby");
  expect(html).not.toContain("next reader");
});

test("the server renders no toasts", () => {
  expect(renderToString(<ToastRegion />)).toBe("");
});
