import { strFromU8, unzipSync } from "fflate/browser";
import { SaxesParser } from "saxes";

import { loader } from "#app/routes/read.$id[.]epub.ts";
import type { TestApp } from "#tests/support/routes.ts";

/** An element of an XML file. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  /** With the text of its descendants. */
  text: string;
}

/** A book that was downloaded. */
export interface Epub {
  headers: Headers;
  bytes: Uint8Array;
  /** The texts of its files by their paths, in their order. */
  files: Map<string, string>;
  /** The elements of each XML file by its path, in the order of their start tags. */
  elements: Map<string, XmlElement[]>;
}

/** Downloads a story as an EPUB. Throws if an XML file in it is not well-formed. */
export async function downloadEpub(app: TestApp, id: string): Promise<Epub> {
  const response = await app.send(loader, `http://localhost/read/${id}.epub`, { params: { id } });
  if (!(response instanceof Response)) throw new TypeError("The download is not a response");
  const bytes = new Uint8Array(await response.arrayBuffer());
  const files = new Map(
    Object.entries(unzipSync(bytes)).map(([path, file]) => [path, strFromU8(file)]),
  );
  const xmlFiles = [...files].filter(([path]) => /\.(?:opf|svg|xhtml|xml)$/.test(path));
  const elements = new Map(xmlFiles.map(([path, xml]) => [path, parseXml(path, xml)]));
  return { headers: response.headers, bytes, files, elements };
}

/** Returns the elements with a name in a file of a book. */
export function findAll({ elements }: Epub, path: string, name: string): XmlElement[] {
  return (elements.get(path) ?? []).filter((element) => element.name === name);
}

/** Returns the paths of the files with the text, in the order of reading. */
export function getTextPaths(book: Epub): string[] {
  const path = "book/package.opf";
  const hrefs = new Map(
    findAll(book, path, "item").map(({ attributes: { id = "", href = "" } }) => [id, href]),
  );
  return findAll(book, path, "itemref")
    .map(({ attributes: { idref = "" } }) => `book/${hrefs.get(idref)}`)
    .filter((file) => file.includes("text-"));
}

function parseXml(path: string, xml: string): XmlElement[] {
  const elements: XmlElement[] = [];
  const open: XmlElement[] = [];
  const parser = new SaxesParser({ xmlns: true, fileName: path });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value] as const);
    const element = { name, attributes: Object.fromEntries(values), text: "" };
    elements.push(element);
    open.push(element);
  });
  parser.on("text", (text) => {
    for (const element of open) element.text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(xml).close();
  return elements;
}
