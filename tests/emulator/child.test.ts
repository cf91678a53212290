import { expect, test } from "vitest";

import { startChild } from "#emulator/child.ts";

/** Takes no notice of the first request to end. */
const DEAF = 'trap "trap \\"exit 7\\" TERM" TERM; echo ready; while :; do sleep 0.01; done';

test("a program that misses the first request to end is asked again before it is forced", async () => {
  let hear = () => {};
  const ready = new Promise<void>((resolve) => (hear = resolve));
  const child = startChild("/bin/sh", ["-c", DEAF], { onOutput: hear });
  await ready;

  await child.stop();

  expect(await child.exited).toBe(7);
});
