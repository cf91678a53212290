/** HTML as Word and Google Docs put it on the clipboard, shortened where it only repeats. */

const bullet = (sign: string) =>
  `<![if !supportLists]><span style='font-family:Symbol;mso-fareast-font-family:Symbol;mso-bidi-font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>`;

const item = (level: number, sign: string, words: string, place = "Middle") =>
  `<p class=MsoListParagraphCxSp${place} style='margin-left:${level * 36}.0pt;mso-add-space:auto;text-indent:-18.0pt;
mso-list:l0 level${level} lfo1'>${bullet(sign)}${words}<o:p></o:p></p>`;

/** Text with tracked changes, comments, hidden text, lists, a table, a border for `---`, and formats. */
export const WORD_HTML = `<html xmlns:v="urn:schemas-microsoft-com:vml"
xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">
<head><meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=Generator content="Microsoft Word 15">
<link rel=File-List href="file:///C:/Users/ana/clip_filelist.xml">
<!--[if gte mso 9]><xml><w:WordDocument><w:TrackMoves/></w:WordDocument></xml><![endif]-->
<style>
<!--
 /* Style Definitions */
 p.MsoNormal, li.MsoNormal, div.MsoNormal
	{mso-style-unhide:no;margin:0cm;font-size:11.0pt;font-family:"Calibri",sans-serif;}
p.NoteToSelf
	{mso-style-name:"Note to self";display:none;mso-hide:all;}
span.Thought
	{mso-style-name:Thought;font-style:italic;mso-bidi-font-style:normal;}
@page WordSection1
	{size:595.3pt 841.9pt;}
div.WordSection1
	{page:WordSection1;}
-->
</style></head>
<body lang=EN-GB style='tab-interval:36.0pt;word-wrap:break-word'>
<!--StartFragment-->
<p class=MsoNormal>The <del cite="mailto:Ana%20Reyes" datetime="2026-11-02T10:00">secret lover </del><span
class=msoIns><ins cite="mailto:Ana%20Reyes" datetime="2026-11-02T10:00">old keeper </ins></span>went
<span style='mso-bidi-font-weight:bold;display:none;mso-hide:all'>check this with Ben </span>down.<o:p></o:p></p>
<p class=MsoNormal><span class=msoDel>A paragraph that went.<o:p></o:p></span></p>
<p class=NoteToSelf>Never show this.<o:p></o:p></p>
<p class=MsoNormal><a style='mso-comment-reference:AR_1;mso-comment-date:20261102T1000'>The lamp</a><span
class=MsoCommentReference><span style='font-size:8.0pt'><![if !supportAnnotations]><a class=msocomanchor
id="_anchor_1" onmouseover="msoCommentShow('_anchor_1','_com_1')" href="#_msocom_1" language=JavaScript
name="_msoanchor_1">[AR1]</a><![endif]><span style='mso-special-character:comment'>&nbsp;</span></span></span>
was <i style='mso-bidi-font-style:normal'>cold<br></i>
and the <span class=Thought>sea</span> <u>dark</u>, <s>grey</s>.<o:p></o:p></p>
<p class=MsoNormal align=center style='text-align:center'>* * *<o:p></o:p></p>
${item(1, "·", "salt", "First")}
${item(2, "o", "coarse")}
${item(2, "o", "fine")}
${item(1, "·", "brass", "Last")}
<p class=MsoNormal>Then the numbers.<o:p></o:p></p>
<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'>${bullet("3.")}third<o:p></o:p></p>
<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l1 level1 lfo2'>${bullet("4.")}fourth<o:p></o:p></p>
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse'>
 <tr style='mso-yfti-irow:0'><td width=301 valign=top><p class=MsoNormal>A<o:p></o:p></p></td><td><p
 class=MsoNormal>B<o:p></o:p></p></td></tr>
 <tr style='mso-yfti-irow:1'><td><p class=MsoNormal>C<o:p></o:p></p></td><td><p class=MsoNormal>D<o:p></o:p></p></td></tr>
</table>
<div style='mso-element:para-border-div;border:none;border-bottom:solid windowtext 1.0pt;padding:0cm 0cm 1.0pt 0cm'>
<p class=MsoNormal style='border:none;padding:0cm'><o:p>&nbsp;</o:p></p></div>
<p class=MsoNormal align=center style='text-align:center'>The end<o:p></o:p></p>
<!--EndFragment-->
<div style='mso-element:comment-list'><![if !supportAnnotations]><hr class=msocomoff align=left size=1 width="33%"><![endif]>
<div style='mso-element:comment'><![if !supportAnnotations]><div id="_com_1" class=msocomtxt language=JavaScript><![endif]>
<p class=MsoCommentText><span class=MsoCommentReference>[AR1]</span>Is this true?<o:p></o:p></p>
<![if !supportAnnotations]></div><![endif]></div></div>
</body></html>`;

const number = (list: number, sign: string, words: string) =>
  `<p class=MsoListParagraph style='mso-list:l${list} level1 lfo${list}'>${bullet(sign)}${words}<o:p></o:p></p>`;

/** Two lists, the first with an item of two paragraphs. */
export const WORD_LISTS_HTML = `<!--StartFragment-->${number(1, "1.", "one")}${number(1, "2.", "two")}
<p class=MsoListParagraph>more<o:p></o:p></p>${number(2, "1)", "first")}${number(2, "2)", "second")}<!--EndFragment-->`;

export const WORD_MARKDOWN = `The old keeper went down.

The lamp was *cold*\\
and the *sea* dark, grey.

---

- salt
  - coarse
  - fine
- brass

Then the numbers.

3. third
4. fourth

A | B

C | D

---

The end`;

const span = (words: string, style = "") =>
  `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-weight:400;font-style:normal;font-variant:normal;text-decoration:none;vertical-align:baseline;white-space:pre-wrap;${style}">${words}</span>`;

const paragraph = (content: string, style = "") =>
  `<p dir="ltr" style="line-height:1.38;${style}margin-top:0pt;margin-bottom:0pt;">${content}</p>`;

const docsItem = (level: number, words: string) =>
  `<li dir="ltr" style="list-style-type:disc;font-size:11pt;font-weight:400;font-style:normal;" aria-level="${level}">${paragraph(span(words), "text-indent: 0pt;").replace("<p ", '<p role="presentation" ')}</li>`;

export const DOCS_HTML = `<meta charset='utf-8'><meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-2f5a6c1e-7fff-1d32-9a8b-1c2d3e4f5a6b">${[
  paragraph(
    `${span("The lamp was ")}${span("cold", "font-style:italic;")}${span(",")}<br />${span("very ")}${span("cold", "font-weight:700;")}${span(", ")}${span("dark", "text-decoration:underline;")}${span(".")}`,
  ),
  "<br />",
  paragraph(`${span("One line.")}<br /><br />${span("Another.")}`),
  `<ul style="margin-top:0;margin-bottom:0;padding-inline-start:48px;">${docsItem(1, "salt")}<ul style="padding-inline-start:48px;">${docsItem(2, "coarse")}</ul>${docsItem(1, "brass")}</ul>`,
  `<ol style="margin-top:0;" start="3">${docsItem(1, "third").replace("disc", "decimal")}</ol>`,
  `<div dir="ltr" style="margin-left:0pt;" align="left"><table style="border:none;border-collapse:collapse;"><colgroup><col width="312" /><col width="312" /></colgroup><tbody><tr style="height:0pt"><td style="border-left:solid #000000 1pt;">${paragraph(span("A"))}</td><td>${paragraph(span("B"))}</td></tr><tr><td>${paragraph(span("C"))}</td><td>${paragraph(span("D"))}</td></tr></tbody></table></div>`,
  paragraph(span("#"), "text-align: center;"),
  paragraph(
    `<a href="https://example.com/" style="text-decoration:none;">${span("The harbour", "text-decoration:underline;")}</a>`,
  ),
].join("")}</b><br class="Apple-interchange-newline">`;

export const DOCS_MARKDOWN = `The lamp was *cold*,\\
very **cold**, dark.

One line.

Another.

- salt
  - coarse
- brass

3. third

A | B

C | D

---

[The harbour](https://example.com/)`;
