import { createServiceGetter } from "#app/env.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import books from "#public/assets/jsons/books.json";
import details from "./built-in-stories.json";
import { ENGLISH } from "./languages.ts";
import type { Story } from "./story.ts";

/** The writer of the built-in stories. The id does not belong to a Firebase user. */
export const BUILT_IN_WRITER = { uid: "inkglade", author: "Inkglade Editors" };

/** A built-in story without its text. */
export interface BuiltInStory extends Omit<Story, "markdown"> {
  /** Counted by `countWords`. */
  words: number;
  /** The numbers of the paragraphs that chapters begin with, counted from 0; none for a story without chapters. */
  chapters: readonly number[];
}

/** The built-in stories, in the order of the list of books. */
export const builtInStories: readonly BuiltInStory[] = details.map((story) => {
  const { title = "", coverPhoto: cover = "" } = books.find(({ id }) => id === story.id) ?? {};
  return {
    ...story,
    ...BUILT_IN_WRITER,
    title,
    cover,
    updatedAt: null,
    isOngoing: false,
    language: ENGLISH,
  };
});

/** Returns the built-in story with that id, or `undefined`. */
export function findBuiltIn(id: string): BuiltInStory | undefined {
  return builtInStories.find((story) => story.id === id);
}

/** Returns the number of the chapter that a paragraph of a built-in story is in, counted from 1; 0 for none. */
export function findChapter(id: string, paragraph: number): number {
  return (findBuiltIn(id)?.chapters.findLastIndex((start) => start <= paragraph) ?? -1) + 1;
}

/** Reads the texts of the built-in stories, which are deployed files. Each isolate reads a text once. */
function createBuiltInTexts(bindings: object) {
  const texts = new Map<string, string>();

  return {
    /**
     * Returns a text as Markdown.
     *
     * @throws {UnavailableError}
     */
    async get(id: string): Promise<string> {
      const cached = texts.get(id);
      if (cached !== undefined) return cached;
      const text = await readText(bindings, id);
      texts.set(id, text);
      return text;
    },
  };
}

export const getBuiltInTexts = createServiceGetter((_, context) =>
  createBuiltInTexts(context.cloudflare.env),
);

async function readText(bindings: object, id: string): Promise<string> {
  const path = `/assets/stories/${id}.md`;
  if (!hasAssets(bindings)) return readFromSource(path);
  try {
    // Only the path matters to the binding.
    const response = await bindings.ASSETS.fetch(new URL(path, "https://assets.local"));
    if (response.ok) return await response.text();
  } catch (cause) {
    throw new UnavailableError(`Could not read ${path}`, { cause });
  }
  throw new UnavailableError(`${path} is not deployed`);
}

/** Reads a text in development, which has no deployed files. */
async function readFromSource(path: string): Promise<string> {
  const texts = import.meta.env.DEV
    ? import.meta.glob<string>("../../public/assets/stories/*.md", {
        query: "?raw",
        import: "default",
      })
    : {};
  const loadText = texts[`../../public${path}`];
  if (!loadText) throw new UnavailableError(`${path} is missing`);
  return loadText();
}

/** Whether Pages has bound the deployed files to the function. */
export function hasAssets(env: object): env is { ASSETS: { fetch: typeof fetch } } {
  return "ASSETS" in env;
}
