import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Checkbox } from "#app/ui/checkbox.tsx";
import { findTag, getAttribute, readElement } from "./render.tsx";

test("a checkbox is native, inside its label, with its name and value", () => {
  const html = renderToString(
    <Checkbox name="news" value="weekly">
      A letter every week
    </Checkbox>,
  );

  expect(html).toMatch(/<label[^>]*>.*<input[^>]*>.*A letter every week.*<\/label>/);
  expect(getAttribute(html, /^<input/, "type")).toBe("checkbox");
  expect(getAttribute(html, /^<input/, "name")).toBe("news");
  expect(getAttribute(html, /^<input/, "value")).toBe("weekly");
});

test("the server renders a selected checkbox as checked", () => {
  const html = renderToString(<Checkbox defaultSelected>Save my position</Checkbox>);

  expect(findTag(html, /^<input/)).toContain(' checked=""');
});

test("a checkbox without errors is neither invalid nor required", () => {
  const input = findTag(renderToString(<Checkbox>Save my position</Checkbox>), /^<input/);

  expect(input).not.toContain("aria-invalid");
  expect(input).not.toMatch(/\srequired/);
});

test("a description and an error both describe the checkbox", () => {
  const html = renderToString(
    <Checkbox id="rules" description="They are short" errors={["Accept the rules to continue"]}>
      I have read the rules
    </Checkbox>,
  );

  expect(getAttribute(html, /^<input/, "aria-invalid")).toBe("true");
  expect(getAttribute(html, /^<input/, "aria-describedby")).toMatch(
    /rules-description rules-error$/,
  );
  expect(readElement(html, "rules-error")).toBe("Accept the rules to continue");
});

test("a required checkbox does not stop the browser from submitting the form", () => {
  const html = renderToString(
    <Checkbox isRequired errors={["Accept the rules to continue"]}>
      I have read the rules
    </Checkbox>,
  );

  expect(findTag(html, /^<input/)).not.toMatch(/\srequired/);
  expect(getAttribute(html, /^<input/, "aria-required")).toBe("true");
});

test("a disabled checkbox is disabled natively, so it is not submitted", () => {
  expect(findTag(renderToString(<Checkbox isDisabled>Not yet</Checkbox>), /^<input/)).toMatch(
    /\sdisabled/,
  );
});
