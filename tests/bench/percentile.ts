/** @param part such as 0.95 */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Infinity;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
