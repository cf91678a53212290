import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { getPlatformProxy } from "wrangler";

import { PICTURES_BINDING } from "#emulator/pages.ts";
import { createTemporaryFolder, removeFolder } from "#emulator/temporary-folder.ts";

const CONFIG = `name = "test"\ncompatibility_date = "2026-04-01"\n${PICTURES_BINDING}`;

/** Starts wrangler's own R2, which runs on workerd, with an empty bucket for pictures. */
export async function startBucket() {
  const folder = await createTemporaryFolder("bucket");
  const configPath = join(folder, "wrangler.toml");
  await writeFile(configPath, CONFIG);
  const proxy = await getPlatformProxy({ configPath, persist: false });
  return {
    bindings: proxy.env,
    async [Symbol.asyncDispose]() {
      await proxy.dispose();
      await removeFolder(folder);
    },
  };
}
