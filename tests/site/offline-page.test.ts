import { expect, test } from "vitest";

import { createOfflinePage } from "#app/site/kept/offline-html.ts";

test("the offline page leads to no other host, whatever address was opened", async () => {
  const url = new URL("https://inkglade.example//evil.example/x?y=1");

  const html = await createOfflinePage(url, []).text();

  expect(html).toContain('<a href="/evil.example/x?y=1">Try again</a>');
});
