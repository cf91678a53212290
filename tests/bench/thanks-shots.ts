import { chromium } from "@playwright/test";

import { requireChromium } from "#tests/support/chromium.ts";
import { publishStory } from "#tests/support/stories.ts";
import { startProduction } from "./production.ts";

await using app = await startProduction({ messages: 8 });
const text = "He stayed until the lamps went pale.\n\n".repeat(30);
await publishStory(app.hosts, { id: "the-salt-road-0123456789", title: "The Salt Road", text });
await publishStory(app.hosts, { id: "the-tide-ledger-0123456780", title: "The Tide Ledger", text });
await using browser = await chromium.launch({ executablePath: requireChromium() });
await (await fetch(`${app.url}/home`)).text();
for (const [width, height] of [
  [360, 740],
  [768, 1024],
  [1280, 900],
] as const) {
  for (const colorScheme of ["light", "dark"] as const) {
    await using context = await browser.newContext({
      baseURL: app.url,
      viewport: { width, height },
      colorScheme,
      reducedMotion: "reduce",
    });
    const [name = "", ...value] = app.cookie.split("=");
    await context.addCookies([{ name, value: value.join("="), url: app.url }]);
    await using page = await context.newPage();
    for (const [what, path] of [
      ["end", "/read/the-salt-road-0123456789"],
      ["built-in", "/read/the-last-warm-engine"],
    ] as const) {
      await page.goto(path);
      const end = page.locator("#end");
      await end.scrollIntoViewIfNeeded();
      await page.evaluate(async () => {
        for (const image of document.images) image.loading = "eager";
        await Promise.allSettled(Array.from(document.images, (image) => image.decode()));
      });
      await end.screenshot({ path: `/tmp/thanks-shots/${what}-${colorScheme}-${width}.png` });
    }
    if (process.argv.includes("--profile")) {
      await page.goto("/profile?tab=stories");
      await page.screenshot({
        path: `/tmp/thanks-shots/profile-${colorScheme}-${width}.png`,
        fullPage: true,
      });
    }
  }
}
