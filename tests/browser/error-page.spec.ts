import { expectAccessible } from "./axe.ts";
import { test } from "./changed-app.ts";
import { expect } from "./fixtures.ts";

// In one worker, so that the app starts only once.
test.describe.configure({ mode: "default" });

test.beforeEach(({ allowError }) => {
  allowError(/^server: |status of 500/);
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("an error page shows the id of its request", async ({ page }) => {
      const response = await page.goto("/read/failing");

      expect(response?.status()).toBe(500);
      const id = response?.headers()["x-request-id"] ?? "";
      await expect(page.getByText(`Error ID: ${id}`, { exact: true })).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
    });
  });
}
