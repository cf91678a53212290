import type { Locator, Page, Request, Route } from "@playwright/test";

import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import {
  deleteStory,
  expectMarkdown,
  findArea,
  findRichEditor,
  findStory,
  isSave,
  openEditor,
} from "./story.ts";

const PATH = String.raw`/pictures/\w+/[\da-f]{32}\.(?:webp|png)`;

test("pictures are in the text in order, however they come and whenever they arrive", async ({
  page,
  person,
}) => {
  const editor = await openEditor(page, person);
  // ProseMirror has pictures of its own, beside some nodes.
  const pictures = editor.locator("img:not(.ProseMirror-separator)");
  const area = findStory(page);

  await test.step("pictures that are dropped and pasted are in order, while it is written", async () => {
    const saved: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/drafts")) saved.push(request.postData() ?? "");
    });
    const uploads = await holdUploads(page);
    await editor.click();
    await page.keyboard.type("Evening.");
    await give(editor, "paste", ["sea.png", "lamp.png"]);
    await expect(editor.getByText("Uploading sea.png…")).toBeVisible();
    await expect(editor.getByText("Uploading lamp.png…")).toBeVisible();
    const response = page.waitForResponse(isSave);
    await page.keyboard.type("Morning.");
    await response;
    await expectMarkdown(page, "Evening.\n\nMorning.");
    await uploads.release();
    await expect(findArea(page)).toHaveValue(
      new RegExp(String.raw`^Evening\.\n\n!\[\]\(${PATH}\)\n\n!\[\]\(${PATH}\)\n\nMorning\.$`),
    );
    const sources = await pictures.all();
    expect(new Set(await Promise.all(sources.map((image) => image.getAttribute("src")))).size).toBe(
      2,
    );
    await expectLoaded(pictures.first());
    await page.keyboard.type(" Noon.");
    await expect(findArea(page)).toHaveValue(/\n\nMorning\. Noon\.$/);
    expect(saved.join("\n")).not.toMatch(/Uploading|blob:|sea\.png/);

    for (let count = 0; count < 3; count += 1) await page.keyboard.press("ControlOrMeta+z");
    await expect(pictures).toHaveCount(0);
    await expectMarkdown(page, "Evening.\n\nMorning.");
  });

  await test.step("an upload that is cancelled, or outlived by its editor, leaves the text in order", async () => {
    const uploads = await holdUploads(page);
    await deleteStory(page);
    await page.keyboard.type("Look:");
    await give(editor, "paste", ["lamp.png"]);
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(editor.getByText("Uploading")).toBeHidden();
    await expectMarkdown(page, "Look:");

    await give(editor, "paste", ["sea.png"]);
    await expect(editor.getByText("Uploading sea.png…")).toBeVisible();
    await page.getByRole("button", { name: "Plain Markdown" }).click();
    await uploads.release();
    await expect(area).toHaveValue(new RegExp(String.raw`^Look:\n\n!\[\]\(${PATH}\)$`));
  });

  await test.step("plain Markdown takes pictures at the caret, by file, address, drop and paste", async () => {
    await area.fill("Evening.\n\nMorning.");
    await area.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(8, 8));
    const uploads = await holdUploads(page);
    await give(area, "paste", ["sea.png", "lamp.png"]);
    await page.keyboard.type("\n\nNoon.");
    await uploads.release();
    await expect(area).toHaveValue(
      new RegExp(
        String.raw`^Evening\.\n\n!\[\]\(${PATH}\)\n\n!\[\]\(${PATH}\)\n\nNoon\.\n\nMorning\.$`,
      ),
    );
    await page.getByRole("button", { name: "Describe it" }).click();
    await page.keyboard.type("A lamp");
    await expect(area).toHaveValue(/!\[A lamp\]/);

    await page.getByRole("button", { name: "Picture", exact: true }).click();
    await page.getByLabel("Picture address").fill("example.com/a(1).png");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("A star");
    await page.keyboard.press("Enter");
    await expect(area).toBeFocused();
    await expect(area).toHaveValue(/!\[A star\]\(<https:\/\/example\.com\/a\(1\)\.png>\)/);
  });
});

test("a picture from a file has its description, and one that is missing or fails says so", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  const editor = await openEditor(page, person);
  await test.step("a picture from a file is added with its description, or asks for one", async () => {
    await editor.click();
    await page.keyboard.type("Look:");
    await chooseFile(page, "lamp.png");
    await page.getByLabel("Picture description").fill("A lamp [lit]");
    await page.keyboard.press("Enter");
    await expect(findArea(page)).toHaveValue(
      new RegExp(String.raw`^Look:\n\n!\[A lamp \\\[lit\\?\]\]\(${PATH}\)$`),
    );
    await expect(page.getByText("has no description")).toBeHidden();

    await chooseFile(page, "sea.png");
    await page.getByRole("button", { name: "Add picture" }).click();
    await expect(page.getByText("sea.png has no description.")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Describe it" }).click();
    await expect(page.getByLabel("Picture description")).toBeFocused();
    await page.keyboard.type("The sea");
    await page.keyboard.press("Enter");
    await expect(findArea(page)).toHaveValue(new RegExp(String.raw`!\[The sea\]\(${PATH}\)$`));
    await expect(page.getByText("has no description")).toBeHidden();

    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("button", { name: "Preview" }).click();
    await expectLoaded(page.getByRole("dialog").getByRole("img", { name: "The sea" }));
    await page.keyboard.press("Escape");
  });

  await test.step("a file that is no picture says why, and one that did not arrive can be sent again", async () => {
    await deleteStory(page);
    await page.keyboard.type("Look:");
    await give(editor, "drop", ["lamp.svg"]);
    await expect(
      page.getByText("lamp.svg: Choose a PNG, JPEG, WebP or AVIF picture."),
    ).toBeVisible();
    await page.getByRole("button", { name: "Leave it out" }).click();
    await expect(editor.getByText("lamp.svg")).toBeHidden();

    await page.route("**/pictures", (route) => route.abort());
    await give(editor, "drop", ["sea.png"]);
    await expect(page.getByText("sea.png: No connection.")).toBeVisible();
    await expectAccessible(page);
    await expectMarkdown(page, "Look:");
    await page.unroute("**/pictures");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(findArea(page)).toHaveValue(new RegExp(String.raw`^Look:\n\n!\[\]\(${PATH}\)$`));
  });

  await test.step("the rows of files fit and are accessible on a phone, from right to left", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await deleteStory(page);
    const uploads = await holdUploads(page);
    await page.evaluate(() => {
      document.documentElement.dir = "rtl";
    });
    await give(editor, "drop", [`${"a-very-long-name-".repeat(8)}.png`]);
    await expect(page.getByRole("button", { name: "Cancel" })).toBeVisible();
    await expectAccessible(page);
    await uploads.release();
    await expect(page.getByRole("button", { name: "Describe it" })).toBeVisible();
    await expectAccessible(page);
    await chooseFile(page, "lamp.png");
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
});

test("a cover is shown once it is uploaded, and stays out of the draft that is opened next", async ({
  page,
  person,
}) => {
  await openEditor(page, person);
  await page.getByLabel("Title").fill("By the sea");
  await findStory(page).fill("It began.");
  const publish = page.getByRole("button", { name: "Publish" });
  await publish.click();
  const dialog = page.getByRole("dialog", { name: "Publish" });
  await dialog.getByRole("button", { name: "Use a picture" }).click();
  const field = dialog.getByLabel("Picture of the cover");

  await test.step("one that is still uploading stays out of the draft that is opened next", async () => {
    const uploads = await holdUploads(page);
    const isUpload = (request: Request) => request.url().endsWith("/pictures");
    const ended = Promise.race([
      page.waitForEvent("requestfinished", isUpload),
      page.waitForEvent("requestfailed", isUpload),
    ]);
    const uploading = page.waitForRequest("**/pictures");
    await field.setInputFiles("public/social.png");
    await uploading;
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("complementary").getByRole("link", { name: "Drafts" }).click();
    await page.getByRole("link", { name: "New story" }).click();
    await expect(page.getByLabel("Title")).toHaveValue("");

    await uploads.release();
    await ended;
    await findRichEditor(page);
    await findStory(page).fill("It began elsewhere.");
    await publish.click();

    await expect(dialog.getByText("We'll draw a cover.")).toBeVisible();
    await expect(page.locator("[name=cover]")).toHaveValue("");
  });

  await test.step("one that is no picture says so, and another is shown at once, and published", async () => {
    await dialog.getByLabel("Title").fill("By the sea");
    await dialog.getByRole("button", { name: "Use a picture" }).click();
    await field.setInputFiles("README.md");
    await expect(dialog.getByText("Choose a PNG, JPEG, WebP or AVIF picture.")).toBeVisible();
    await field.setInputFiles("public/social.png");
    await expect(dialog.getByLabel("Cover", { exact: true })).toHaveValue(new RegExp(`^${PATH}$`));
    await expectLoaded(dialog.locator(`img[src^="/pictures/"]`), 900);
    await expectAccessible(page);

    await dialog.getByRole("button", { name: "Publish" }).click();
    await expect(page.getByRole("link", { name: "Read" }).first()).toBeVisible();
  });
});

test("a photo becomes as small as it is shown before it is uploaded", async ({ page, person }) => {
  await openAs(page, person, "/profile?tab=name");
  await page.getByLabel("Photo", { exact: true }).setInputFiles("public/social.png");
  const readSize = () =>
    page
      .getByLabel("Photo", { exact: true })
      .evaluate((input: HTMLInputElement) => input.files?.[0]?.type);
  await expect.poll(readSize).toBe("image/webp");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByLabel("Photo link (URL)")).toHaveValue(new RegExp(`${PATH}$`));
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a page uploads a picture, and shows the line that puts it into a story", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/create");
    await page.getByRole("link", { name: "upload a picture for it" }).click();
    await page.getByLabel("Picture", { exact: true }).setInputFiles("public/social.png");
    await page.getByRole("button", { name: "Upload" }).click();
    await expect(page.getByRole("heading", { name: "Your picture is stored" })).toBeVisible();
    const line = await page.getByLabel("Copy this line into your story.").inputValue();
    expect(line).toMatch(new RegExp(String.raw`^!\[\]\(${PATH}\)$`));

    await page.getByRole("link", { name: "Back to your story" }).click();
    await findStory(page).fill(line.replace("[]", "[The site]"));
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByRole("img", { name: "The site" })).toBeVisible();
  });
});

/** Opens the panel and chooses a picture of its own. */
async function chooseFile(page: Page, name: string): Promise<void> {
  await page.getByRole("toolbar").getByRole("button", { name: "Picture" }).click();
  const base64 = await page.evaluate(drawPicture, name);
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a file" }).click();
  const buffer = Buffer.from(base64, "base64");
  await (await choosing).setFiles({ name, mimeType: "image/png", buffer });
}

/** Drops or pastes files with these names: pictures, which are all different, and an SVG. */
async function give(field: Locator, way: "drop" | "paste", names: string[]): Promise<void> {
  const files = await Promise.all(
    names.map(async (name) => ({
      name,
      base64: name.endsWith(".svg")
        ? btoa("<svg xmlns='http://www.w3.org/2000/svg'/>")
        : await field.page().evaluate(drawPicture, name),
    })),
  );
  await field.evaluate(
    (element, given) => {
      const data = new DataTransfer();
      for (const { name, base64 } of given.files) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: "image/png" }));
      }
      const { left, bottom } = element.getBoundingClientRect();
      const common = { bubbles: true, cancelable: true };
      const point = { clientX: left + 5, clientY: bottom - 5 };
      const event =
        given.way === "paste"
          ? new ClipboardEvent("paste", { ...common, clipboardData: data })
          : new DragEvent("drop", { ...common, ...point, dataTransfer: data });
      element.dispatchEvent(event);
    },
    { files, way },
  );
}

/** Returns a small PNG, in base64. Runs in the browser. */
function drawPicture(name: string): string {
  const canvas = document.createElement("canvas");
  canvas.width = 40;
  canvas.height = 30;
  const context = canvas.getContext("2d");
  context?.fillText(name, 0, 20);
  return canvas.toDataURL("image/png").split(",")[1] ?? "";
}

/** Keeps uploads from the server until they are released. */
async function holdUploads(page: Page): Promise<{ release: () => Promise<void> }> {
  const held: Route[] = [];
  const hold = (route: Route) => void held.push(route);
  await page.route("**/pictures", hold);
  return {
    async release() {
      await page.unroute("**/pictures", hold);
      // An upload may have been cancelled.
      await Promise.allSettled(held.map((route) => route.continue()));
    },
  };
}

async function expectLoaded(image: Locator, width = 40): Promise<void> {
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBe(width);
}
