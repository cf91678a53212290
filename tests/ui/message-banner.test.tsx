import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { MessageBanner } from "#app/ui/message-banner.tsx";
import { getAttribute } from "./render.tsx";

test("a banner is an info message by default, and is announced politely", () => {
  const html = renderToString(<MessageBanner>Saved</MessageBanner>);

  expect(getAttribute(html, /data-severity/, "data-severity")).toBe("info");
  expect(html).toMatch(/<div[^>]* role="status"><div>Saved<\/div><\/div>/);
});

test("an error is announced at once", () => {
  const html = renderToString(<MessageBanner severity="error">Login failed</MessageBanner>);

  expect(html).toContain('<div role="alert">Login failed</div>');
});

test("the hint of an error is announced separately from the message, which stays unchanged", () => {
  const html = renderToString(
    <MessageBanner severity="error" hint="Try again.">
      Login failed
    </MessageBanner>,
  );

  expect(html).toContain('<div role="alert">Login failed</div>');
  expect(html).toMatch(/<div[^>]* role="status">Try again\.<\/div>/);
});

test("the hint of any other message is announced together with it", () => {
  const html = renderToString(<MessageBanner hint="Until tomorrow.">Saved</MessageBanner>);

  expect(html).toMatch(
    /<div[^>]* role="status"><div>Saved<\/div><div[^>]*>Until tomorrow\.<\/div><\/div>/,
  );
});

test("the hint can be a form, so it is not in a paragraph", () => {
  const html = renderToString(<MessageBanner hint={<form />}>Deleted</MessageBanner>);

  expect(html).toContain("<form></form>");
  expect(html).not.toMatch(/<p[ >]/);
});

test("shows no close button without JavaScript", () => {
  expect(renderToString(<MessageBanner isDismissable>Saved</MessageBanner>)).not.toContain(
    "<button",
  );
});
