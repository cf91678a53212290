import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";

import subsetFont from "subset-font";

// Writes app/styles/subsets: for each font that pages show first, a file with only the characters of English texts,
// small enough for the first packets of a connection. Browsers fetch other characters from Fontsource's files.

/** Printable ASCII and the punctuation of typeset text. The style sheets repeat them in `unicode-range`. */
const ASCII = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index));
const CHARACTERS = `${ASCII.join("")}\u00A0\u00B7\u00D7\u2010\u2011\u2013\u2014\u2018\u2019\u201C\u201D\u2022\u2026\u2190\u2192`;

const OPTIONS = {
  targetFormat: "woff2" as const,
  // `tnum` is what `font-variant-numeric: tabular-nums` uses. The library's types lack this option.
  keepFeatures: ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk", "tnum"],
};

const require = createRequire(import.meta.url);

const FONTS = [
  {
    name: "figtree",
    file: require.resolve("@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2"),
    axes: { wght: { min: 400, max: 700 } },
  },
  {
    name: "fraunces-600",
    file: require.resolve("@fontsource/fraunces/files/fraunces-latin-600-normal.woff2"),
  },
  {
    name: "literata-400",
    file: require.resolve("@fontsource/literata/files/literata-latin-400-normal.woff2"),
  },
  {
    name: "literata-400-italic",
    file: require.resolve("@fontsource/literata/files/literata-latin-400-italic.woff2"),
  },
];

for (const { name, file, axes } of FONTS) {
  const font = await readFile(file);
  const options = { ...OPTIONS, ...(axes && { variationAxes: axes }) };
  const subset = await subsetFont(font, CHARACTERS, options);
  await writeFile(`app/styles/subsets/${name}.woff2`, subset);
  console.log(`${name.padEnd(20)} ${font.length} → ${subset.length} bytes`);
}
