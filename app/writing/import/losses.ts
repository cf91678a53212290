/** What a story can't have although the words are kept. */
const WITHOUT_FORMAT = {
  underlining: "underlining",
  strikethrough: "strikethrough",
  centring: "centring",
  right: "alignment to the right",
  highlighting: "highlighting",
  tables: "tables",
} as const;

type CountedName = keyof typeof LEFT_OUT;
export type LossName = keyof typeof WITHOUT_FORMAT | CountedName;

/** What was left out, as one and as several. */
const LEFT_OUT = {
  pictures: ["a picture without a web address", "pictures without a web address"],
  objects: ["a video, drawing or other object", "videos, drawings or other objects"],
  private: ["deleted or hidden text and comments", null],
  margins: ["the headers and footers of pages", null],
  contents: ["the table of contents", null],
  work: ["the work's tags and statistics", null],
  writer: ["the writer's name", null],
} as const;

/** How often each was in a text that became a story. */
export type Losses = Map<LossName, number>;

const MAX_COUNT = 9999;

export function addLoss(losses: Losses, name: LossName): void {
  losses.set(name, Math.min(MAX_COUNT, (losses.get(name) ?? 0) + 1));
}

/**
 * Returns a sentence for what lost its format, and one for what was left out.
 *
 * @param kept what happened to the words, such as "pasted"
 */
export function describeLosses(losses: Losses, kept: string): string[] {
  const without = pick(WITHOUT_FORMAT).flatMap(([name, words]) => (losses.has(name) ? words : []));
  const leftOut = pick(LEFT_OUT).flatMap(([name, [one, several]]) => {
    const count = losses.get(name) ?? 0;
    if (count === 0) return [];
    return count === 1 || several === null ? one : `${count.toLocaleString("en")} ${several}`;
  });
  const either = new Intl.ListFormat("en", { type: "disjunction" }).format(without);
  const all = new Intl.ListFormat("en").format(leftOut);
  return [
    ...(either ? [`Stories have no ${either}: only the words were ${kept}.`] : []),
    ...(all ? [`Left out: ${all}.`] : []),
  ];
}

/** Writes losses for a URL, such as `underlining.2,pictures.3`. */
export function formatLosses(losses: Losses): string {
  return [...losses].map(([name, count]) => `${name}.${count}`).join(",");
}

/** Reads losses in a URL, and nothing else in it. */
export function readLosses(written: string): Losses {
  const losses: Losses = new Map();
  for (const { name } of [...pick(WITHOUT_FORMAT), ...pick(LEFT_OUT)].map(([name]) => ({ name }))) {
    const [, count] = new RegExp(`(?:^|,)${name}\\.(\\d{1,4})(?:,|$)`).exec(written) ?? [];
    if (Number(count) > 0) losses.set(name, Number(count));
  }
  return losses;
}

/** `Object.entries` with the type of the keys. */
function pick<Name extends string, Value>(record: Record<Name, Value>): [Name, Value][] {
  return Object.entries(record) as [Name, Value][]; // has no other keys
}
