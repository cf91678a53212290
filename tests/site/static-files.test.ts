import { readdir, readFile } from "node:fs/promises";

import { expect, test } from "vitest";
import * as z from "zod";

test("every static file is served without the Worker, which does not look for files", async () => {
  const routes: unknown = JSON.parse(await readFile("public/_routes.json", "utf8"));
  const { exclude } = z.object({ exclude: z.array(z.string()) }).parse(routes);
  // Cloudflare's own settings, which are not served.
  const names = (await readdir("public")).filter((name) => !name.startsWith("_"));
  const paths = names.map((name) => (name === "assets" ? "/assets/*" : `/${name}`));
  // The build adds the service worker.
  expect(exclude.toSorted()).toEqual([...paths, "/service-worker.js"].toSorted());
});
