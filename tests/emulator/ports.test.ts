import { expect, test } from "vitest";

import { findFreePort, reservePort } from "#emulator/ports.ts";

test("a port that is kept for a later server is not found as a free one", async () => {
  const first = await findFreePort();
  reservePort(first);
  const found = [];
  // More than there are, so that the search starts again.
  for (let count = 0; count < 130; count += 1) found.push(await findFreePort());
  expect(found).not.toContain(first);
});
