import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Select } from "#app/ui/select.tsx";
import { findTag, getAttribute, readElement } from "./render.tsx";

test("a select is native, with its name, its label and the selected option", () => {
  const html = renderToString(
    <Select label="Paper" name="paper" defaultValue="sepia">
      <option value="white">White</option>
      <option value="sepia">Sepia</option>
    </Select>,
  );

  expect(getAttribute(html, /^<select/, "name")).toBe("paper");
  expect(getAttribute(html, /^<label/, "for")).toBe(getAttribute(html, /^<select/, "id"));
  expect(html).toContain('<option value="sepia" selected="">Sepia</option>');
});

test("a description and an error both describe the select", () => {
  const html = renderToString(
    <Select id="paper" label="Paper" description="By day" errors={["This paper is not available"]}>
      <option>White</option>
    </Select>,
  );

  expect(getAttribute(html, /^<select/, "aria-invalid")).toBe("true");
  expect(getAttribute(html, /^<select/, "aria-describedby")).toBe("paper-description paper-error");
  expect(readElement(html, "paper-error")).toBe("This paper is not available");
});

test("a disabled select is disabled natively", () => {
  const html = renderToString(
    <Select label="Paper" isDisabled>
      <option>White</option>
    </Select>,
  );

  expect(findTag(html, /^<select/)).toMatch(/\sdisabled/);
});
