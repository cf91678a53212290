import { performance } from "node:perf_hooks";

/**
 * Returns a function that returns how many milliseconds this process has been idle since. Unlike the time that has passed,
 * that does not depend on how busy the machine is.
 */
export function startWaitedTime(): () => number {
  const { idle } = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization().idle - idle;
}
