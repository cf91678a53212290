import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";

import { MessageBanner } from "#app/ui/message-banner.tsx";
import { getAttribute } from "./render.tsx";

test("a banner is information unless it says otherwise, and waits for a pause", () => {
  const html = renderToString(<MessageBanner>Saved</MessageBanner>);

  expect(getAttribute(html, /data-severity/, "data-severity")).toBe("info");
  expect(html).toContain('<div role="status">Saved</div>');
});

test("an error interrupts", () => {
  const html = renderToString(<MessageBanner severity="error">Login failed</MessageBanner>);

  expect(html).toContain('<div role="alert">Login failed</div>');
});

test("the hint stands beside the message, whose words stay as they came", () => {
  const html = renderToString(
    <MessageBanner severity="error" hint="Try again.">
      Login failed
    </MessageBanner>,
  );

  expect(html).toContain('<div role="alert">Login failed</div>');
  expect(html).toMatch(/<div[^>]*>Try again\.<\/div>/);
});

test("a hint may be a form, which no paragraph can hold", () => {
  const html = renderToString(<MessageBanner hint={<form />}>Deleted</MessageBanner>);

  expect(html).not.toMatch(/<p[ >]/);
});

test("without scripts there is no close key, which could do nothing", () => {
  expect(renderToString(<MessageBanner isDismissable>Saved</MessageBanner>)).not.toContain(
    "<button",
  );
});
