import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { Button, ButtonLink } from "#app/ui/button.tsx";
import { findTag, getAttribute, renderPage } from "./render.tsx";

test("a submit button sends its name and value without JavaScript", () => {
  const html = renderToString(
    <Button type="submit" name="intent" value="google">
      Continue
    </Button>,
  );

  expect(getAttribute(html, /^<button/, "type")).toBe("submit");
  expect(getAttribute(html, /^<button/, "name")).toBe("intent");
  expect(getAttribute(html, /^<button/, "value")).toBe("google");
});

test("a button does not submit by default", () => {
  expect(getAttribute(renderToString(<Button>Retry</Button>), /^<button/, "type")).toBe("button");
});

test("a pending button keeps its label and its place in the tab order", () => {
  const html = renderToString(<Button isPending>Login</Button>);

  expect(html).toContain("Login</button>");
  expect(getAttribute(html, /^<button/, "aria-busy")).toBe("true");
  expect(findTag(html, /^<button/)).not.toMatch(/\sdisabled/);
});

test("a disabled button is disabled natively", () => {
  expect(findTag(renderToString(<Button isDisabled>Register</Button>), /^<button/)).toMatch(
    /\sdisabled/,
  );
});

test("a button link is a link", () => {
  const html = renderPage("/", <ButtonLink to="/home">Go to the stories</ButtonLink>);

  expect(getAttribute(html, /^<a/, "href")).toBe("/home");
});
