import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Checkbox } from "#app/ui/checkbox.tsx";
import { findTag, getAttribute, readElement } from "./render.tsx";

test("a checkbox is a native one inside its label, with its name and value", () => {
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

test("a checkbox comes ticked from the server", () => {
  const html = renderToString(<Checkbox defaultSelected>Keep my place</Checkbox>);

  expect(findTag(html, /^<input/)).toContain(' checked=""');
});

test("a faultless checkbox is neither invalid nor required", () => {
  const input = findTag(renderToString(<Checkbox>Keep my place</Checkbox>), /^<input/);

  expect(input).not.toContain("aria-invalid");
  expect(input).not.toMatch(/\srequired/);
});

test("a description and a fault both describe the checkbox", () => {
  const html = renderToString(
    <Checkbox id="rules" description="They are short" errors={["Say yes to go on"]}>
      I have read the rules
    </Checkbox>,
  );

  expect(getAttribute(html, /^<input/, "aria-invalid")).toBe("true");
  expect(getAttribute(html, /^<input/, "aria-describedby")).toMatch(
    /rules-description rules-error$/,
  );
  expect(readElement(html, "rules-error")).toBe("Say yes to go on");
});

test("a fault does not keep the browser from sending the form", () => {
  const html = renderToString(
    <Checkbox isRequired errors={["Say yes to go on"]}>
      I have read the rules
    </Checkbox>,
  );

  expect(findTag(html, /^<input/)).not.toMatch(/\srequired/);
  expect(getAttribute(html, /^<input/, "aria-required")).toBe("true");
});

test("a disabled checkbox is disabled natively, and so is not sent", () => {
  expect(findTag(renderToString(<Checkbox isDisabled>Not yet</Checkbox>), /^<input/)).toMatch(
    /\sdisabled/,
  );
});
