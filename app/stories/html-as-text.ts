import type { Processor } from "unified";

/** A plugin for `remark-parse`. Reads the lines of an HTML block as a paragraph, so that its words are shown. */
export function readHtmlAsText(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [
    ...(data.micromarkExtensions ?? []),
    { disable: { null: ["htmlFlow"] } },
  ];
}
