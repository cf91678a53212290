import { expect, test } from "./fixtures.ts";
import {
  deleteStory,
  expectMarkdown,
  findArea,
  findRichEditor,
  openEditor,
  paste,
} from "./story.ts";

const STORY = `[Anna]: Hello!

[//]: # (a note)

> See [home].
>
> [home]: https://example.com/
> 'Home'
`;

test("keeps dialogue and link definitions, also when they are pasted", async ({ page, person }) => {
  await openEditor(page, person);
  await page.getByRole("button", { name: "Plain Markdown" }).click();
  await findArea(page).fill(STORY);
  await page.getByRole("button", { name: "Plain Markdown" }).click();

  const editor = await findRichEditor(page);
  for (const line of ["[Anna]: Hello!", "[//]: # (a note)", "[home]: https://example.com/"]) {
    await expect(editor).toContainText(line);
  }
  await expect(editor.getByRole("link", { name: "home" })).toBeVisible();
  await editor.getByText("Hello!").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" Hi!");
  await expectMarkdown(page, STORY.replace("[Anna]: Hello!", "\\[Anna]: Hello! Hi!"));

  await deleteStory(page);
  await paste(editor, { text: STORY });
  await expectMarkdown(
    page,
    `\\[Anna]: Hello!

\\[//]: # (a note)

> See [home](https://example.com/ "Home").
>
> \\[home]: https://example.com/
> 'Home'`,
  );
});
