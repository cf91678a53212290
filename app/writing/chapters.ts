const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** @see https://spec.commonmark.org/0.31.2/#atx-headings */
const HEADING = /^ {0,3}##(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$/;

/** Returns the titles of a story's chapters: its headings of level 2, which the editor writes with `##`. */
export function findChapters(markdown: string): string[] {
  const titles: string[] = [];
  let fence = "";
  for (const line of markdown.split("\n")) {
    const marker = FENCE.exec(line)?.[1] ?? "";
    if (fence) {
      if (marker.startsWith(fence)) fence = "";
    } else if (marker) {
      fence = marker;
    } else {
      const heading = HEADING.exec(line);
      if (heading) titles.push(heading[1] ?? "");
    }
  }
  return titles;
}
