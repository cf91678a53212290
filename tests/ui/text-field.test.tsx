import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { TextField } from "#app/ui/text-field.tsx";
import { findTag, getAttribute, readElement } from "./render.tsx";

test("the label belongs to the input", () => {
  const html = renderToString(<TextField label="E-mail" name="email" />);

  expect(html).toMatch(/<label[^>]*>E-mail<\/label>/);
  expect(getAttribute(html, /^<label/, "for")).toBe(getAttribute(html, /^<input/, "id"));
});

test("a faultless field describes itself as neither invalid nor required", () => {
  const input = findTag(renderToString(<TextField label="E-mail" name="email" />), /^<input/);

  expect(input).not.toContain("aria-invalid");
  expect(input).not.toContain("aria-describedby");
  expect(input).not.toContain("required");
});

test("faults mark the input and describe it, each in its own words", () => {
  const html = renderToString(
    <TextField id="repeat" label="Confirm password" errors={["Too short", "Different"]} />,
  );

  expect(getAttribute(html, /^<input/, "aria-invalid")).toBe("true");
  expect(getAttribute(html, /^<input/, "aria-describedby")).toBe("repeat-error");
  expect(readElement(html, "repeat-error")).toBe("Too short Different");
});

test("a fault that appears later is announced when there is a pause", () => {
  const html = renderToString(<TextField id="email" label="E-mail" />);

  expect(getAttribute(html, /id="email-error"/, "aria-live")).toBe("polite");
});

test("a description and a fault both describe the input", () => {
  const html = renderToString(
    <TextField id="name" label="Name" description="As others see it" errors={["Too long"]} />,
  );

  expect(getAttribute(html, /^<input/, "aria-describedby")).toBe("name-description name-error");
});

test("without scripts there is no key to show a password, which could do nothing", () => {
  const html = renderToString(<TextField label="Password" name="password" type="password" />);

  expect(getAttribute(html, /^<input/, "type")).toBe("password");
  expect(html).not.toContain("<button");
});
