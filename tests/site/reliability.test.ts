import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

test("docs/reliability.md names tests that exist, and each of its rows names one", async () => {
  const text = await readFile("docs/reliability.md", "utf8");
  const [tables = "", list = ""] = text.split("## The tests");
  const titles = [...list.matchAll(/^(\d+)\. "(.+)"$/gm)].map(([, number, title = ""]) => ({
    number: Number(number),
    title,
  }));
  const names = (await readdir("tests", { recursive: true })).filter(
    (name) => /\.(test|spec)\.tsx?$/.test(name) && !name.endsWith("reliability.test.ts"),
  );
  const sources = await Promise.all(names.map((name) => readFile(join("tests", name), "utf8")));
  const all = sources.join("\n");
  for (const { title } of titles) expect(all, title).toContain(title);

  const rows = tables.split(/^\| Fault .*\n.*\n/m).slice(1);
  const cells = rows.flatMap((table) =>
    table
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) => line.split("|").at(-2)?.trim() ?? ""),
  );
  expect(cells.length).toBeGreaterThan(10);
  for (const cell of cells) {
    const numbers = cell.match(/\d+/g)?.map(Number) ?? [];
    expect(numbers.length, cell).toBeGreaterThan(0);
    for (const number of numbers) expect(titles.map((one) => one.number)).toContain(number);
  }
});
