import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { TextField } from "#app/ui/text-field.tsx";
import { findTag, getAttribute, readElement } from "./render.tsx";

test("the label belongs to the input", () => {
  const html = renderToString(<TextField label="E-mail" name="email" />);

  expect(html).toMatch(/<label[^>]*>E-mail<\/label>/);
  expect(getAttribute(html, /^<label/, "for")).toBe(getAttribute(html, /^<input/, "id"));
});

test("a field without errors is neither invalid nor required", () => {
  const input = findTag(renderToString(<TextField label="E-mail" name="email" />), /^<input/);

  expect(input).not.toContain("aria-invalid");
  expect(input).not.toContain("aria-describedby");
  expect(input).not.toContain("required");
});

test("errors mark the input as invalid and describe it", () => {
  const html = renderToString(
    <TextField id="repeat" label="Confirm password" errors={["Too short", "Different"]} />,
  );

  expect(getAttribute(html, /^<input/, "aria-invalid")).toBe("true");
  expect(getAttribute(html, /^<input/, "aria-describedby")).toBe("repeat-error");
  expect(readElement(html, "repeat-error")).toBe("Too short Different");
});

test("an error that appears later is announced politely", () => {
  const html = renderToString(<TextField id="email" label="E-mail" />);

  expect(getAttribute(html, /id="email-error"/, "aria-live")).toBe("polite");
});

test("a description and an error both describe the input", () => {
  const html = renderToString(
    <TextField id="name" label="Name" description="As others see it" errors={["Too long"]} />,
  );

  expect(getAttribute(html, /^<input/, "aria-describedby")).toBe("name-description name-error");
});

test("a password has no Show button without JavaScript", () => {
  const html = renderToString(<TextField label="Password" name="password" type="password" />);

  expect(getAttribute(html, /^<input/, "type")).toBe("password");
  expect(html).not.toContain("<button");
});
