import { createDocumentId } from "#app/firebase/document-id.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { openAs, startSession } from "./sign-in.ts";

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });

    test("brings a downloaded file into another account, and says what came back", async ({
      page,
      person,
      app,
      browser,
    }) => {
      await using first = await browser.newContext({ baseURL: app.url });
      await startSession(first, await app.firebase.addAccount());
      const id = createDocumentId();
      const form = { intent: "save", id, revision: "0", title: "Salt and Sand", text: "The tide." };
      await first.request.post("/create", { form, headers: { "Sec-Fetch-Site": "same-origin" } });
      const file = await first.request.get("/profile/data");
      const buffer = await file.body();
      expect(file.headers()["content-type"]).toBe("application/zip");

      await openAs(page, person, "/profile?tab=data");
      const section = page.getByRole("region", { name: "Import your data" });
      const choose = section.getByLabel("ZIP file");
      await choose.setInputFiles({ name: "inkglade.zip", mimeType: "application/zip", buffer });
      await section.getByRole("button", { name: "Import" }).click();

      await expect(section.getByText("Imported: 1 draft.")).toBeVisible();
      if (javaScriptEnabled) await expectAccessible(page);
      await page.goto(`/create?draft=${id}`);
      await expect(page.getByLabel("Title")).toHaveValue("Salt and Sand");

      await page.goto("/profile?tab=data");
      await choose.setInputFiles({
        name: "a.zip",
        mimeType: "application/zip",
        buffer: buffer.subarray(9),
      });
      await section.getByRole("button", { name: "Import" }).click();
      await expect(section.getByRole("alert")).toContainText("We can't read this file.");
    });
  });
}
