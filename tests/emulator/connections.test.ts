import { expect, test } from "vitest";

import { createDataFolder } from "#tests/support/data-folder.ts";
import { startSavedFirebase } from "#tests/support/firebase.ts";

test("no server announces that it ends connections that are idle", async () => {
  await using data = await createDataFolder();
  await using firebase = await startSavedFirebase(data.folder);

  for (const [name, host] of Object.entries(firebase.hosts)) {
    const response = await fetch(`http://${host}/`);
    await response.arrayBuffer();
    expect(response.headers.get("keep-alive"), name).toBeNull();
  }
});
