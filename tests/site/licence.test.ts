import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";
import * as z from "zod";

test("LICENSE contains the licence that package.json names", async () => {
  const manifest: unknown = JSON.parse(await readFile("package.json", "utf8"));
  expect(z.object({ license: z.string() }).parse(manifest).license).toBe("Apache-2.0");

  const text = await readFile("LICENSE", "utf8");

  expect(text.trimStart()).toMatch(/^Apache License\s+Version 2\.0, January 2004/);
  expect(text).toContain("END OF TERMS AND CONDITIONS");
  expect(text).toContain("Inkglade contributors");
});
