import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Progress } from "#app/ui/progress.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { findTag, getAttribute } from "./render.tsx";

const BAR = /role="progressbar"/;

test("shows and announces the value", () => {
  const html = renderToString(<Progress label="Sending the picture" value={40} />);

  expect(getAttribute(html, BAR, "aria-valuenow")).toBe("40");
  expect(getAttribute(html, BAR, "aria-valuetext")).toBe("40%");
  expect(html).toContain(">40%</span>");
  const labelId = getAttribute(html, BAR, "aria-labelledby");
  expect(labelId).not.toBeNull();
  expect(html).toMatch(new RegExp(`id="${labelId}"[^>]*>Sending the picture<`));
});

test("shows a custom text instead of the percentage", () => {
  const html = renderToString(
    <Progress label="Chapters read" value={3} maxValue={12} valueLabel="3 of 12" />,
  );

  expect(getAttribute(html, BAR, "aria-valuetext")).toBe("3 of 12");
  expect(html).toContain("width:25%");
});

test("indeterminate progress has no value", () => {
  const bar = findTag(renderToString(<Progress label="Looking for stories" />), BAR);

  expect(bar).not.toContain("aria-valuenow");
  expect(bar).not.toContain("aria-valuetext");
});

test("a skeleton is hidden from screen readers and has the size of the content", () => {
  const html = renderToString(<Skeleton shape="box" width="8rem" height="12rem" />);

  expect(getAttribute(html, /^<span/, "aria-hidden")).toBe("true");
  expect(getAttribute(html, /^<span/, "style")).toBe("width:8rem;height:12rem");
});
