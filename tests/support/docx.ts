import { strToU8, zipSync } from "fflate";

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The parts of a `.docx` file. All but the body may be missing. */
export interface DocxSource {
  body: string;
  styles?: string;
  numbering?: string;
  footnotes?: string;
  endnotes?: string;
  /** The addresses of links, from the id `rId1`. */
  links?: string[];
  header?: string;
  title?: string;
  /** Other files in the ZIP. */
  files?: Record<string, string>;
}

/** Builds a `.docx` file from its XML. */
export function buildDocx(source: DocxSource): Uint8Array {
  const { links = [], title } = source;
  const part = (name: string, xml: string | undefined) =>
    xml === undefined ? "" : `${HEAD}<w:${name} ${W} ${R}>${xml}</w:${name}>`;
  const relationships = links.map(
    (link, index) =>
      `<Relationship Id="rId${index + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${link}" TargetMode="External"/>`,
  );
  const files: Record<string, string> = {
    "[Content_Types].xml": `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    "word/document.xml": part("document", `<w:body>${source.body}<w:sectPr/></w:body>`),
    "word/styles.xml": part("styles", source.styles),
    "word/numbering.xml": part("numbering", source.numbering),
    "word/footnotes.xml": part("footnotes", source.footnotes),
    "word/endnotes.xml": part("endnotes", source.endnotes),
    "word/header1.xml": part("hdr", source.header),
    "word/_rels/document.xml.rels": `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relationships.join("")}</Relationships>`,
    "docProps/core.xml":
      title === undefined
        ? ""
        : `${HEAD}<cp:coreProperties><dc:title>${title}</dc:title></cp:coreProperties>`,
    ...source.files,
  };
  const present = Object.entries(files).filter(([, text]) => text !== "");
  return zipSync(Object.fromEntries(present.map(([name, text]) => [name, strToU8(text)])));
}

/** A paragraph of Word. */
export function p(content: string, properties = ""): string {
  return `<w:p w:rsidR="00A77B3E" w:rsidRDefault="00A77B3E">${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;
}

/** A run of Word. */
export function r(text: string, properties = ""): string {
  return `<w:r w:rsidRPr="00B12F11"><w:rPr><w:rFonts w:ascii="Garamond"/>${properties}<w:sz w:val="24"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
}

export const style = (id: string) => `<w:pStyle w:val="${id}"/>`;

export const item = (numId: number, level: number, text: string) =>
  p(r(text), `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${numId}"/></w:numPr>`);

/** The styles that Word has, in a German installation: the ids are translated, the names are not. */
export const STYLES = `
<w:style w:type="paragraph" w:default="1" w:styleId="Standard"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="Standard"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/><w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/><w:basedOn w:val="Standard"/><w:pPr><w:jc w:val="center"/></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="Zitat"><w:name w:val="Quote"/><w:rPr><w:i/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>
<w:style w:type="character" w:styleId="Hervorhebung"><w:name w:val="Emphasis"/><w:rPr><w:i/></w:rPr></w:style>`;

const level = (number: number, format: string, start = 1) =>
  `<w:lvl w:ilvl="${number}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/></w:lvl>`;

/** List 1 has bullets, list 2 numbers from 3. */
export const NUMBERING = `
<w:abstractNum w:abstractNumId="0">${level(0, "bullet")}${level(1, "bullet")}${level(2, "decimal")}</w:abstractNum>
<w:abstractNum w:abstractNumId="1">${level(0, "decimal", 3)}${level(1, "lowerLetter")}</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>`;
