import { expect, test } from "vitest";

import { startChild } from "#emulator/child.ts";

/** A shell script that ignores the first SIGTERM. */
const IGNORES_FIRST_SIGTERM =
  'trap "trap \\"exit 7\\" TERM" TERM; echo ready; while :; do sleep 0.01; done';

test("stop() repeats SIGTERM before it sends SIGKILL", async () => {
  let onReady = () => {};
  const ready = new Promise<void>((resolve) => (onReady = resolve));
  const child = startChild("/bin/sh", ["-c", IGNORES_FIRST_SIGTERM], { onOutput: onReady });
  await ready;

  await child.stop();

  expect(await child.exited).toBe(7);
});
