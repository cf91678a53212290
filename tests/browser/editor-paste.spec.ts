import {
  DOCS_HTML,
  DOCS_MARKDOWN,
  WORD_HTML,
  WORD_LISTS_HTML,
  WORD_MARKDOWN,
} from "./clipboard-html.ts";
import { expect, test } from "./fixtures.ts";
import { expectAccessible } from "./axe.ts";
import { clearStory, deleteStory, expectMarkdown, findArea, openEditor, paste } from "./story.ts";

const WEB = `<div class="post" onclick="steal()"><script>steal()</script><style>p{}</style>
<h2 id="room" class="title">High water</h2><p style="color:red">It was <strong>late</strong>,
<a href="javascript:steal()">see</a> <a href="https://example.com/" onmouseover="steal()">here</a>
<span data-type="html" data-value="<b onclick=steal()>loudly</b>">plainly</span>.
<img src="x" onerror="steal()"><img src="https://example.com/a.png" alt="A lamp" onerror="steal()"></p>
<iframe src="https://example.com"></iframe></div>`;

const PASTES: [{ html?: string; text: string }, string][] = [
  [{ html: WORD_HTML, text: "The old keeper went down." }, WORD_MARKDOWN],
  [{ html: WORD_LISTS_HTML, text: "one" }, "1. one\n2. two\n\n   more\n\n1) first\n2) second"],
  [{ html: DOCS_HTML, text: "The lamp was cold," }, DOCS_MARKDOWN],
  [
    { html: "<div>One<br><br>Two <i>three<br></i>four</div>", text: "One" },
    "One\n\nTwo *three*\\\nfour",
  ],
  [
    {
      html: "<p>One <mark>two</mark> <q>three</q><wbr> <abbr>four</abbr></p><a href='https://example.com/'>five</a> six",
      text: "One",
    },
    "One two “three” four\n\n[five](https://example.com/) six",
  ],
  [
    {
      html: '<meta charset="utf-8"><pre style="white-space: pre-wrap">\tOne.\n\tTwo.</pre>',
      text: "\tOne.\n\tTwo.",
    },
    "One.\n\nTwo.",
  ],
  [
    { html: WEB, text: "High water" },
    "## High water\n\nIt was **late**, see [here](https://example.com/) plainly. ![A lamp](https://example.com/a.png)",
  ],
  [
    {
      html: `<p data-pm-slice="1 1 []"><a href="javascript:steal()">High</a> <a href="https://example.com/">water</a> <span data-type="html" data-value="<b>loudly</b>">loudly</span><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img src="http://example.com/a.png"></p>`,
      text: "High water",
    },
    "High [water](https://example.com/) \\<b>loudly\\</b>",
  ],
  [
    {
      text: "## High water\r\n\r\nIt was **late**.\r\n\r\n- salt\r\n- brass\r\n\r\n<script>steal()</script> <img onerror=steal()>",
    },
    "## High water\n\nIt was **late**.\n\n- salt\n- brass\n\n\\<script>steal()\\</script> \\<img onerror=steal()>",
  ],
];

test("cleans pasted text, whichever program it comes from, and says what was lost", async ({
  page,
  person,
  allowError,
}) => {
  // Chromium logs that it blocks inline handlers and cannot load the image.
  allowError(/Executing inline event handler|ERR_NAME_NOT_RESOLVED/);
  const editor = await openEditor(page, person);
  for (const [clipboard, markdown] of PASTES) {
    await test.step(`becomes ${JSON.stringify(markdown.slice(0, 40))}`, async () => {
      await clearStory(page);
      await editor.click();
      await paste(editor, clipboard);
      await expectMarkdown(page, markdown);
      const html = await editor.innerHTML();
      expect(html).not.toMatch(
        /<script|<img[^>]*onerror|onclick|onmouseover|style=|mso|javascript:/i,
      );
    });
  }

  await test.step("says what was lost, until the next change", async () => {
    await clearStory(page);
    await editor.click();
    await paste(editor, { html: WORD_HTML, text: "The old keeper went down." });
    const note = page.getByText(
      "Stories have no underlining, strikethrough, centring, or tables: only the words were pasted. Left out: deleted or hidden text and comments.",
    );
    await expect(note).toBeVisible();
    await expectAccessible(page, { within: "form:has([name=title])" });
    await editor.press("End");
    await page.keyboard.type("!");
    await expect(note).toHaveCount(0);
  });

  await test.step("keeps selected words when the HTML has none, and says so", async () => {
    await clearStory(page);
    await editor.click();
    await paste(editor, { text: "The tide came in." });
    await expectMarkdown(page, "The tide came in.");
    await editor.press("ControlOrMeta+a");
    await paste(editor, { html: "<button>x</button>", text: "x" });
    await expect(page.getByText("We can read no words in that.")).toBeVisible();
    await expectMarkdown(page, "The tide came in.");
  });
});

/** Dialogue that looks like a definition, a comment, and a definition in a quote. */
const DEFINITIONS = `[Anna]: Hello!

[//]: # (a note)

> See [home].
>
> [home]: https://example.com/
> 'Home'
`;

test("plain text is prose, can be read as Markdown, and keeps dialogue and definitions", async ({
  page,
  person,
}) => {
  const editor = await openEditor(page, person);
  const asMarkdown = page.getByRole("button", { name: "Read as Markdown" });
  const asProse = page.getByRole("button", { name: "Treat as prose" });

  await test.step("where it is pasted", async () => {
    await editor.click();
    await paste(editor, { text: "\tThe tide came in.\r\n\tIt went out.\r\n- Who?\r\n" });
    await expectMarkdown(page, "The tide came in.\n\nIt went out.\n\n\\- Who?");
    await asMarkdown.click();
    await expect(page.getByText("Pasted as Markdown.")).toBeVisible();
    await expect(editor.locator("pre")).toContainText("The tide came in.");
    await expect(editor).toBeFocused();
    await asProse.click();
    await expectMarkdown(page, "The tide came in.\n\nIt went out.\n\n\\- Who?");
    await editor.press("ControlOrMeta+z");
    await expectMarkdown(page, "");
  });

  await test.step("in a file that is opened", async () => {
    await page.getByLabel("More", { exact: true }).click();
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Open text file" }).click();
    const buffer = Buffer.from("    The tide came in.\n1986. A great year.\n");
    await (await choosing).setFiles({ name: "tide.txt", mimeType: "text/plain", buffer });
    await expectMarkdown(page, "The tide came in.\n\n1986\\. A great year.");
    await asMarkdown.click();
    await expectMarkdown(page, String(buffer));
    await asProse.click();
    await expectMarkdown(page, "The tide came in.\n\n1986\\. A great year.");
  });

  await test.step("dialogue and definitions in Markdown, and pasted ones", async () => {
    const choice = page.getByRole("button", { name: "Plain Markdown" });
    await choice.click();
    await findArea(page).fill(DEFINITIONS);
    await choice.click();
    for (const line of ["[Anna]: Hello!", "[//]: # (a note)", "[home]: https://example.com/"]) {
      await expect(editor).toContainText(line);
    }
    await expect(editor.getByRole("link", { name: "home" })).toBeVisible();
    await editor.getByText("Hello!").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Hi!");
    await expectMarkdown(page, DEFINITIONS.replace("[Anna]: Hello!", "\\[Anna]: Hello! Hi!"));

    await deleteStory(page);
    await paste(editor, { text: DEFINITIONS });
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
});
