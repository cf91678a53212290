import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

/** The source, with all times that docs/reliability.md names. */
const sources = import.meta.glob<string>(["../../app/**/*.ts", "../../functions/**/*.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

test("docs/reliability.md has the times of the code", async () => {
  const text = await readFile("docs/reliability.md", "utf8");
  const [, rest = ""] = text.split("| What ");
  const [table = ""] = rest.split("\n\n");
  const code = Object.values(sources).join("\n");
  const times = [...table.matchAll(/\| ([^|]+) \| `(\w+_MS)`/g)];

  expect(times.length).toBeGreaterThan(5);
  for (const [, seconds = "", name = ""] of times) {
    const values = [...code.matchAll(new RegExp(`const ${name} = (.+);`, "g"))];
    const stated = seconds.split(",").map((part) => Number.parseFloat(part) * 1000);
    const isStated = values.some(([, value = ""]) => {
      return stated.every((ms) => value.replaceAll("_", "").includes(String(ms)));
    });
    expect(isStated, name).toBe(true);
  }
});

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
