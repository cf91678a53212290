import { expect, test } from "./fixtures.ts";
import { expectMarkdown, findArea, findRichEditor, openEditor, paste } from "./story.ts";

const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head>
<body lang=EN-GB><!--StartFragment--><h1 style='color:#2F5496'>High water<o:p></o:p></h1>
<p class=MsoNormal style='font-family:"Times New Roman"'>It was <b style='mso-bidi-font-weight:normal'>late</b>,
and <i>cold</i>.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span style='font:7.0pt'>&nbsp;&nbsp; </span></span><![endif]>salt</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span style='font:7.0pt'>&nbsp;&nbsp; </span></span><![endif]>brass</p>
<img src="file:///C:/Users/a.png"><!--EndFragment--></body></html>`;

const WEB = `<div class="post" onclick="steal()"><script>steal()</script><style>p{}</style>
<h2 id="room" class="title">High water</h2><p style="color:red">It was <strong>late</strong>,
<a href="javascript:steal()">see</a> <a href="https://example.com/" onmouseover="steal()">here</a>
<span data-type="html" data-value="<b onclick=steal()>loudly</b>">plainly</span>.
<img src="x" onerror="steal()"><img src="https://example.com/a.png" alt="A lamp" onerror="steal()"></p>
<iframe src="https://example.com"></iframe></div>`;

const PASTES: [{ html?: string; text: string }, string][] = [
  [
    { html: WORD, text: "High water" },
    "# High water\n\nIt was **late**, and *cold*.\n\n- salt\n- brass",
  ],
  [
    { html: WEB, text: "High water" },
    "## High water\n\nIt was **late**, see [here](https://example.com/) plainly. ![A lamp](https://example.com/a.png)",
  ],
  [
    {
      text: "## High water\r\n\r\nIt was **late**.\r\n\r\n- salt\r\n- brass\r\n\r\n<script>steal()</script> <img onerror=steal()>",
    },
    "## High water\n\nIt was **late**.\n\n- salt\n- brass\n\n\\<script>steal()\\</script> \\<img onerror=steal()>",
  ],
];

test("cleans text pasted from Word, from a web page and as Markdown", async ({
  page,
  person,
  allowError,
}) => {
  // Chromium logs that it blocks inline handlers and cannot load the image.
  allowError(/Executing inline event handler|ERR_NAME_NOT_RESOLVED/);
  await openEditor(page, person);
  const choice = page.getByRole("button", { name: "Plain Markdown" });
  for (const [clipboard, markdown] of PASTES) {
    // A heading that is cleared in the rich editor would stay one.
    await choice.click();
    await findArea(page).fill("");
    await choice.click();
    const editor = await findRichEditor(page);
    await editor.click();
    await paste(editor, clipboard);
    await expectMarkdown(page, markdown);
    const html = await editor.innerHTML();
    expect(html).not.toMatch(
      /<script|<img[^>]*onerror|onclick|onmouseover|style=|mso|javascript:/i,
    );
  }
});
