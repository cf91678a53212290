import { strToU8, zipSync } from "fflate";

import { buildDocx, item, NUMBERING, p, r, style, STYLES } from "./docx.ts";

/** A file as a writing program makes it, and the story that it becomes. */
export interface ImportedFile {
  file: { name: string; bytes: Uint8Array };
  title?: string;
  text: string;
  notKept?: string[];
}

const html = (name: string, markup: string) => ({ name, bytes: strToU8(markup) });
const docx = (source: Parameters<typeof buildDocx>[0]) => ({
  name: "a.docx",
  bytes: buildDocx(source),
});
const center = '<w:jc w:val="center"/>';
const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const picture = (attributes: string, description: string) =>
  `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Picture" descr="${description}"/><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip ${attributes}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
const note = (kind: string, id: number, content: string, after = "") =>
  `<w:${kind} w:id="${id}">${p(`<w:r><w:${kind}Ref/></w:r>${r(` ${content}`)}${after}`)}</w:${kind}>`;
const refer = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
const ruby = (reading: string, base: string, properties = "") =>
  `<w:r><w:rPr>${properties}</w:rPr><w:ruby><w:rubyPr><w:hps w:val="12"/></w:rubyPr><w:rt>${r(reading)}</w:rt><w:rubyBase>${r(base)}</w:rubyBase></w:ruby></w:r>`;

const LINES = ["The tide came in.", "Nobody saw it.", "It went out.", "So did he."];

/** What people bring, by what it shows. */
export const IMPORTED_FILES: Record<string, ImportedFile> = {
  "Word: a title, chapters in a translated installation, emphasis by style": {
    file: docx({
      styles: STYLES,
      body:
        p(r("The Tide"), style("Titel")) +
        p(r("One"), style("berschrift1")) +
        p(
          `${r("It was ")}${r("very", "<w:i/>")}${r(" late", "<w:i/>")}${r(", ")}${r("he said", '<w:rStyle w:val="Hervorhebung"/>')}${r(".")}`,
        ) +
        p(r("A part"), style("berschrift2")) +
        p(`${r("Bold", "<w:b/>")}${r(" and ")}${r("not", '<w:b w:val="0"/>')}${r(".")}`),
    }),
    title: "The Tide",
    text: "# One\n\nIt was *very late*, *he said*.\n\n## A part\n\n**Bold** and not.",
  },
  "Word: scene breaks as stars, as a number sign and as a border": {
    file: docx({
      body:
        p(r("One.")) +
        p(r("* * *"), center) +
        p(r("Two.")) +
        p(r("#"), center) +
        p(r("Three.")) +
        p("", '<w:pBdr><w:bottom w:val="single"/></w:pBdr>') +
        p(r("Four.")),
    }),
    text: "One.\n\n---\n\nTwo.\n\n---\n\nThree.\n\n---\n\nFour.",
  },
  "Word: nested lists, and numbers that go on after a paragraph": {
    file: docx({
      numbering: NUMBERING,
      body:
        item(1, 0, "salt") +
        item(1, 1, "coarse") +
        item(1, 2, "first") +
        item(1, 0, "brass") +
        p(r("Then the numbers.")) +
        item(2, 0, "third") +
        p(r("between")) +
        item(2, 0, "fourth"),
    }),
    text: "- salt\n  - coarse\n    1. first\n- brass\n\nThen the numbers.\n\n3. third\n\nbetween\n\n4. fourth",
  },
  "Word: footnotes and endnotes": {
    file: docx({
      footnotes: note("footnote", 2, "The harbour of Lund."),
      endnotes: note("endnote", 2, "Closed since."),
      body: p(
        `${r("The harbour")}<w:r><w:footnoteReference w:id="2"/></w:r>${r(" slept.")}<w:r><w:endnoteReference w:id="2"/></w:r>`,
      ),
    }),
    text: "The harbour[1] slept.[2]\n\n### Notes\n\n1. The harbour of Lund.\n2. Closed since.",
  },
  "Word: footnotes that refer to each other, and one that two words refer to": {
    file: docx({
      footnotes:
        note("footnote", 2, "See ", refer(3)) +
        note("footnote", 3, "Or ", refer(2)) +
        note("footnote", 4, "Also ", refer(4)),
      body: p(`${r("One")}${refer(2)}${r(" two")}${refer(4)}${r(" three")}${refer(2)}`),
    }),
    text: "One[1] two[2] three[1]\n\n### Notes\n\n1. See [3]\n2. Also [2]\n3. Or [1]",
  },
  "Word: words with furigana, as HTML has them": {
    file: docx({
      body: p(
        `${r("その")}${ruby("とうだい", "灯台")}${r("は")}${ruby("くら", "暗", "<w:b/>")}${r("い")}${ruby("かく", "隠", "<w:vanish/>")}`,
      ),
    }),
    text: "その灯台(とうだい)は**暗(くら**)い",
    notKept: ["Left out: deleted or hidden text and comments."],
  },
  "Word: ideographic indents": {
    file: docx({
      body: p(r("　海は道ではない。")) + p(r("「扉だ」")) + p(r("　　", "<w:b/>") + r("灯。　")),
    }),
    text: "　海は道ではない。\n\n「扉だ」\n\n　　灯。",
  },
  "Word: tracked changes, a comment and hidden text": {
    file: docx({
      body: p(
        `${r("The ")}<w:del w:id="1" w:author="Ana"><w:r><w:delText>secret </w:delText></w:r></w:del><w:ins w:id="2" w:author="Ana">${r("old ")}</w:ins>${r("never show ", "<w:vanish/>")}${r("keeper.")}<w:r><w:commentReference w:id="1"/></w:r>`,
      ),
    }),
    text: "The old keeper.",
    notKept: ["Left out: deleted or hidden text and comments."],
  },
  "Word: what a story can't have": {
    file: docx({
      header: p(r("Ana Reyes / The Tide")),
      body:
        p(
          `${r("dark", '<w:u w:val="single"/>')} ${r(" grey", "<w:strike/>")}${r(" bright", '<w:highlight w:val="yellow"/>')}`,
        ) +
        p(r("The end"), center) +
        p(r("Ana"), '<w:jc w:val="right"/>') +
        p(picture('r:embed="rId9"', "A lamp") + picture('r:embed="rId10"', "")),
    }),
    text: "dark grey bright\n\nThe end\n\nAna",
    notKept: [
      "Stories have no underlining, strikethrough, centring, alignment to the right, or highlighting: only the words were kept.",
      "Left out: 2 pictures without a web address and the headers and footers of pages.",
    ],
  },
  "Word: a picture on the web, links and a link as a field": {
    file: docx({
      links: ["https://example.com/a (1).png", "https://example.com/", "javascript:alert(1)"],
      body: p(
        `${picture('r:link="rId1"', "A [lamp]")}${r(" ")}<w:hyperlink r:id="rId2">${r("the ", '<w:u w:val="single"/>')}${r("harbour", "<w:i/>")}</w:hyperlink>${r(", ")}${field("begin")}<w:r><w:instrText> HYPERLINK "https://example.com/sea" </w:instrText></w:r>${field("separate")}${r("the sea")}${field("end")}${r(", ")}<w:hyperlink r:id="rId3">${r("no")}</w:hyperlink>`,
      ),
    }),
    text: "![A \\[lamp\\]](https://example.com/a%20%281%29.png) [the *harbour*](https://example.com/), [the sea](https://example.com/sea), no",
  },
  "Word: a table, a table of contents, a quote, a text box and content controls": {
    file: docx({
      styles: STYLES,
      body: `<w:sdt><w:sdtContent>${p(r("One 1"), style("Verzeichnis1"))}</w:sdtContent></w:sdt><w:tbl><w:tr><w:tc>${p(r("A"))}</w:tc><w:tc>${p(r("B"))}${p(r("b"))}</w:tc></w:tr></w:tbl>${p(r("Salt,"), style("Zitat"))}${p(r("said he."), style("Zitat"))}${p(`${r("Beside:")}<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>${p(r("a letter"))}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${p(r("a letter"))}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>`)}`,
    }),
    text: "A | B b\n\n> Salt,\n>\n> said he.\n\nBeside:\n\na letter",
    notKept: [
      "Stories have no tables: only the words were kept.",
      "Left out: the table of contents.",
    ],
  },
  "Word: signs that Markdown would read": {
    file: docx({
      body:
        p(r("1986. A great year.")) +
        p(r("- Bonjour, dit-elle.")) +
        p(r("# five, a*b*c and snake_case, _so_, [x](y), &lt;b&gt; &amp;amp; `t` \\")) +
        p(
          `${r("He")}${r("—no—", "<w:i/>")}${r("went. “")}${r("Stop", "<w:i/>")}${r("!” un")}${r("believ", "<w:b/>")}${r("able")}`,
        ),
    }),
    text: "1986\\. A great year.\n\n\\- Bonjour, dit-elle.\n\n\\# five, a\\*b\\*c and snake_case, \\_so\\_, [x\\](y), \\<b> \\&amp; \\`t\\` \\\\\n\nHe—*no*—went. “*Stop*!” un**believ**able",
  },
  "Google Docs as .docx: spaces between paragraphs, line breaks": {
    file: docx({
      title: "The Tide",
      styles: `<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>`,
      body:
        p(r("Chapter 1"), style("Heading1")) +
        LINES.map((line) => p(r(line)) + p(r(""))).join("") +
        p(`${r("O sea,")}<w:r><w:br/></w:r>${r("o salt")}<w:r><w:br w:type="page"/></w:r>`),
    }),
    title: "The Tide",
    text: `# Chapter 1\n\n${LINES.join("\n\n")}\n\nO sea,\\\no salt`,
  },
  "LibreOffice as .docx: scenes with an empty line between them": {
    file: docx({
      body: [...LINES, "", ...LINES].map((line) => p(line && r(line), style("TextBody"))).join(""),
    }),
    text: `${LINES.join("\n\n")}\n\n---\n\n${LINES.join("\n\n")}`,
  },
  "Scrivener, compiled: a chapter by outline level, tabs, breaks with a number sign": {
    file: docx({
      body:
        p(r("Chapter One", "<w:b/>"), '<w:outlineLvl w:val="0"/>' + center) +
        p(`<w:r><w:tab/></w:r>${r("The tide came in.")}`) +
        p("") +
        p(r("#"), center) +
        p("") +
        p(`<w:r><w:tab/></w:r>${r("It went out.")}`),
    }),
    text: "# Chapter One\n\nThe tide came in.\n\n---\n\nIt went out.",
  },
  "Google Docs as a web page: classes for emphasis, nested lists, footnotes, comments": {
    file: {
      name: "The Tide.zip",
      bytes: zipSync({
        "images/image1.png": new Uint8Array(9),
        "TheTide.html": strToU8(
          `<html><head><meta content="text/html; charset=UTF-8" http-equiv="content-type"><style type="text/css">@import url(https://themes.googleusercontent.com/fonts/css);ol{margin:0}.c1{font-weight:700}.c2{color:#000;font-style:italic}.c9{text-align:center}.title{font-size:26pt}</style></head><body class="c7 doc-content"><p class="c5 title" id="h.1"><span class="c0">The Tide</span></p><h1 class="c5" id="h.2"><span class="c1">One</span></h1><p class="c3"><span class="c0">It was </span><span class="c2">late</span><span class="c0">,&nbsp;and </span><span class="c1">cold</span><sup><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup><span>.</span><sup><a href="#cmnt1" id="cmnt_ref1">[a]</a></sup></p><p class="c3 c9"><span class="c0">***</span></p><ul class="c8 lst-kix_abc-0 start"><li class="c3"><span>salt</span></li></ul><ul class="c8 lst-kix_abc-1 start"><li class="c3"><span>coarse</span></li></ul><ul class="c8 lst-kix_abc-0"><li class="c3"><span>brass</span></li></ul><p class="c3"><span style="overflow: hidden"><img alt="" src="images/image1.png" title=""></span></p><hr class="c6"><div><p class="c3"><a href="#ftnt_ref1" id="ftnt1">[1]</a><span>&nbsp;In March.</span></p></div><div class="c10"><p class="c3"><a href="#cmnt_ref1" id="cmnt1">[a]</a><span>Really?</span></p></div></body></html>`,
        ),
      }),
    },
    title: "The Tide",
    text: "# One\n\nIt was *late*,\u00a0and **cold**[1].\n\n---\n\n- salt\n  - coarse\n- brass\n\n---\n\n[1]\u00a0In March.",
    notKept: ["Left out: a picture without a web address and deleted or hidden text and comments."],
  },
  "Word as a web page in Windows-1252, with footnotes": {
    file: {
      name: "tide.htm",
      bytes: Uint8Array.from(
        Buffer.from(
          `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta http-equiv=Content-Type content="text/html; charset=windows-1252"><style><!-- p.MsoTitle {font-size:28.0pt;} --></style></head><body><div class=WordSection1><p class=MsoTitle>Caf\xe9</p><h1>One</h1><p class=MsoNormal>\x93It\x92s late.\x94<a style='mso-footnote-id:ftn1' href="#_ftn1" name="_ftnref1"><span class=MsoFootnoteReference>[1]</span></a><o:p></o:p></p></div><div style='mso-element:footnote-list'><br clear=all><hr align=left size=1 width="33%"><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText><a href="#_ftnref1"><span>[1]</span></a> In March.</p></div></div></body></html>`,
          "latin1",
        ),
      ),
    },
    title: "Café",
    text: "# One\n\n“It’s late.”[1]\n\n[1] In March.",
  },
  "LibreOffice as a web page: centred by attribute, notes as numbers": {
    file: html(
      "tide.html",
      `<!DOCTYPE html><html><head><title></title><style type="text/css">p { line-height: 115% }</style></head><body lang="en-GB" dir="ltr"><h1 class="western">One</h1><p align="center" style="margin-bottom: 0cm">* * *</p><p style="margin-bottom: 0cm"><font face="Liberation Serif"><b>Bold</b></font><a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a></p><ul><li><p>salt</p><ul><li><p>coarse</p></li></ul></li></ul><div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" href="#sdfootnote1anc">1</a> In March.</p></div></body></html>`,
    ),
    text: "# One\n\n---\n\n**Bold**[1]\n\n- salt\n  - coarse\n\n[1] In March.",
  },
  "AO3, downloaded: preface, summary, notes, chapters": {
    file: html(
      "The_Tide.html",
      `<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" /><title>The Tide - ana - Original Work</title></head><body><div id="preface"><p class="message"><b>The Tide</b><br/>Posted originally on the <a href="http://archiveofourown.org/">Archive of Our Own</a>.</p><div class="meta"><dl class="tags"><dt>Rating:</dt><dd><a href="http://archiveofourown.org/tags/x">General Audiences</a></dd></dl><h1>The Tide</h1><div class="byline">by <a rel="author" href="http://archiveofourown.org/users/ana">ana</a></div><p>Summary</p><blockquote class="userstuff"><p>A lamp goes out.</p></blockquote><p>Notes</p><blockquote class="userstuff"><p>For Ben.</p></blockquote></div></div><div id="chapters" class="userstuff"><div class="meta group"><h2 class="heading">Chapter 1: Salt</h2><p>Chapter Notes</p><blockquote class="userstuff"><p>Short one.</p></blockquote></div><div class="userstuff"><p>It was <em>late</em>.</p><p align="center">~*~</p><p>So.</p></div><div class="meta group"><h2 class="heading">Chapter 2</h2></div><div class="userstuff"><p>Gone.</p></div></div><div id="afterword"><div class="meta"><div id="endnotes"><p>End Notes</p><blockquote class="userstuff"><p>Thanks!</p></blockquote></div></div><p class="message">Please <a href="http://archiveofourown.org/works/1/comments/new">drop by the Archive and comment</a>!</p></div></body></html>`,
    ),
    title: "The Tide",
    text: "**Summary**\n\n> A lamp goes out.\n\n**Notes**\n\n> For Ben.\n\n## Chapter 1: Salt\n\n**Chapter Notes**\n\n> Short one.\n\nIt was *late*.\n\n---\n\nSo.\n\n## Chapter 2\n\nGone.\n\n**End Notes**\n\n> Thanks!",
    notKept: ["Left out: the work's tags and statistics and the writer's name."],
  },
  "AO3, the saved page of a work": {
    file: html(
      "work.html",
      `<!DOCTYPE html><html><body><div id="outer"><ul class="primary navigation actions"><li>Log In</li></ul><dl class="work meta group"><dt>Words:</dt><dd>3</dd></dl><div id="workskin"><div class="preface group"><h2 class="title heading">The Tide</h2><h3 class="byline heading"><a rel="author">ana</a></h3><div class="summary module"><h3 class="heading">Summary:</h3><blockquote class="userstuff"><p>A lamp.</p></blockquote></div></div><div id="chapters"><div class="chapter" id="chapter-1"><div class="chapter preface group"><h3 class="title"><a href="/works/1/chapters/1">Chapter 1</a>: Salt</h3></div><div class="userstuff module"><h3 class="landmark heading" id="work">Chapter Text</h3><p>It was late.</p><hr /><p><img src="https://example.com/lamp.png" alt="A lamp" /></p></div></div></div></div><div id="feedback"><p>Comments</p></div></div></body></html>`,
    ),
    title: "The Tide",
    text: "**Summary**\n\n> A lamp.\n\n## Chapter 1: Salt\n\nIt was late.\n\n---\n\n![A lamp](https://example.com/lamp.png)",
    notKept: ["Left out: the writer's name."],
  },
  "Wattpad, the saved page of a part": {
    file: html(
      "part.html",
      `<!DOCTYPE html><html><head><title>The Tide - Salt - Wattpad</title></head><body><nav>Browse</nav><h1 class="h2">Salt</h1><div class="panel panel-reading"><pre><p data-p-id="1f">It was <i>late</i>.<span class="comment-marker"><span class="num-comment">12</span></span></p><p data-p-id="2a" style="text-align:center;">***</p><p data-p-id="3c">One<br>two<br><br>three</p><p data-p-id="4d" data-media-type="image"><img src="https://img.wattpad.com/a.jpg"></p></pre></div><footer>© Wattpad</footer></body></html>`,
    ),
    title: "The Tide",
    text: "## Salt\n\nIt was *late*.\n\n---\n\nOne\\\ntwo\n\nthree\n\n![](https://img.wattpad.com/a.jpg)",
    notKept: ["Left out: deleted or hidden text and comments."],
  },
  "HTML with ideographic indents": {
    file: html(
      "a.html",
      "<html><p> 　海は<br>　道ではない。　</p><p>　</p><p>\n　<b>扉</b>だ。</p></html>",
    ),
    text: "　海は\\\n　道ではない。\n\n　**扉**だ。",
  },
  "HTML with furigana": {
    file: html(
      "a.html",
      "<html><p><ruby>灯台<rp>（</rp><rt>とうだい</rt><rp>）</rp></ruby>と<ruby>漢字<rt>かんじ</rt>り<rt> </rt></ruby>と<ruby>海<rp>(<rt>うみ<rp>)</ruby>。</p></html>",
    ),
    text: "灯台(とうだい)と漢字(かんじ)りと海(うみ)。",
  },
  "HTML with quotation marks as an element": {
    file: html("a.html", "<html><p>“So?” <q>It was <i>late</i>.</q><q> </q></p></html>"),
    text: "“So?” “It was *late*.”",
  },
  "HTML whose line ends are shown: messages of WhatsApp, Discord and X": {
    file: html(
      "a.html",
      `<html><head><style>.lines{white-space-collapse:preserve}</style></head><body><span style="font-size:15px;white-space:pre-wrap">The tide came in.\n\nIt went out.\n“Come <b>in,”\r\n  she</b> said.</span><p class="lines">One\n<i style="white-space:normal">two\nthree</i></p><p>Four\nfive</p></body></html>`,
    ),
    text: "The tide came in.\n\nIt went out.\\\n“Come **in,”**\\\n**she** said.\n\nOne\\\n*two three*\n\nFour five",
  },
  "XHTML with a title, scripts and frames that end in themselves": {
    file: html(
      "tide.xhtml",
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="a.js"/><style/></head><body><p>The tide</p><iframe src="a.html"/><textarea/><p>came in.</p></body></html>',
    ),
    text: "The tide\n\ncame in.",
    notKept: ["Left out: a video, drawing or other object."],
  },
  "HTML with a script that has an end tag after a slash": {
    file: html("tide.html", '<html><script src="a.js" /></script><p>The tide</p></html>'),
    text: "The tide",
  },
  "a text file of Notepad in Windows-1252": {
    file: {
      name: "tide.txt",
      bytes: Uint8Array.from(
        Buffer.from("\x93Caf\xe9?\x94\r\n\r\n***\r\n\r\n- Oui.\r\n", "latin1"),
      ),
    },
    text: "“Café?”\n\n---\n\n\\- Oui.",
  },
  "a text file whose first paragraph has two lines": {
    file: {
      name: "bells.txt",
      bytes: strToU8(
        "The rain began before the bells had stopped, and nobody\nin the square looked up.\n\n\nThree days later…",
      ),
    },
    text: "The rain began before the bells had stopped, and nobody\\\nin the square looked up.\n\nThree days later…",
  },
  "a text file in UTF-16 of Windows": {
    file: {
      name: "tide.txt",
      bytes: Uint8Array.from(Buffer.from("\ufeffThe tide came in.\r\nIt went out.", "utf16le")),
    },
    text: "The tide came in.\n\nIt went out.",
  },
  "Markdown with a byte order mark": {
    file: { name: "tide.md", bytes: strToU8("\ufeff## One\n\nIt was *late*.\n") },
    text: "## One\n\nIt was *late*.\n",
  },
  "Apple Mail or a page of a blog: divs, breaks and a quote": {
    file: html(
      "post.html",
      `<html><body><div>The tide<br><br>came <b>in</b><div><br></div></div><blockquote type="cite">Who?<p>He.</blockquote><p>Last<p>words<ul><li>one<li>two</ul><iframe src="https://example.com/"></iframe></body></html>`,
    ),
    text: "The tide\n\ncame **in**\n\n> Who?\n>\n> He.\n\nLast\n\nwords\n\n- one\n- two",
    notKept: ["Left out: a video, drawing or other object."],
  },
};
