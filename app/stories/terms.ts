/** How many characters of a word are searched for. */
const MAX_WORD_LENGTH = 12;

/** The maximum number of terms in the index of a story. `firestore.rules` has the same number. */
export const MAX_TERMS = 400;

const MAX_QUERY_WORDS = 8;

/**
 * A character of a script without spaces between words. Searches use pairs of such characters. `scx` is the property
 * `Script_Extensions`, which contains the ー of コーヒー.
 */
export const UNSPACED_CHARACTER =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/** A word, which ends where the script changes to one without spaces: "iPhoneの話" has two. */
const WORD = new RegExp(
  String.raw`(?:(?!${UNSPACED_CHARACTER.source})[\p{L}\p{N}])+|(?:(?=[\p{L}\p{N}])${UNSPACED_CHARACTER.source})+`,
  "gu",
);

/** The texts that a search looks at. */
export interface SearchableText {
  title: string;
  author: string | null;
  tags: readonly string[];
  description: string;
}

/** Letters that have no accent to remove, each with its plain Latin letters. */
const PLAIN_LETTERS = new Map(
  [
    "ß ss æ ae œ oe ø o đ d ð d þ th ł l ħ h ı i ŋ ng ŧ t ə e",
    "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o",
    "а a б b в v г g ґ g д d ђ dj е e є ye ж zh з z и i і i ј j к k л l љ lj м m н n њ nj о o п p р r с s т t ћ c",
    "у u ф f х kh ц ts ч ch џ dz ш sh щ shch ы y э e ю yu я ya",
  ].flatMap((line) =>
    Array.from(
      line.matchAll(/(\S+) (\S+)/g),
      ([, letter = "", plain = ""]) => [letter, plain] as const,
    ),
  ),
);

/**
 * Returns a text in lower case without accents and apostrophes and with plain Latin letters, so that spellings of one word
 * are equal: "Straße" and "strasse", "Киев" and "kiev".
 */
export function normalizeText(text: string): string {
  const letters = text.normalize("NFKD");
  // Letters with accents have up to four parts, but a ligature has up to 18 letters. A long text of ligatures stays as it
  // is: otherwise every search would take many times as long.
  return (letters.length > 4 * text.length + 100 ? text : letters)
    .replaceAll(/[\p{M}'’ъьЪЬ]/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{ASCII}]/gu, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
}

/** @param toParts splits a word in a script without spaces */
function splitText(text: string, toParts: (word: string) => string[]): string[] {
  const words = normalizeText(text).match(WORD) ?? [];
  return words.flatMap((word) => (UNSPACED_CHARACTER.test(word) ? toParts(word) : [word]));
}

/**
 * Returns the words of a text; for a script without spaces, the pairs of neighbouring characters, and the last character,
 * which begins no pair.
 */
function splitWords(text: string): string[] {
  return splitText(text, (word) => [...toPairs(word), ...Array.from(word).slice(-1)]);
}

function toPairs(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Returns the words that a query asks for. A story has to contain all of them. */
export function splitQuery(query: string): string[] {
  return [...new Set(splitText(query, toPairs))].slice(0, MAX_QUERY_WORDS);
}

/**
 * Normalizes a tag for addresses and comparisons. Signs count only in a tag that has nothing else, such as an emoji; the
 * hyphens that it begins with do not, because links leave them out.
 */
export function normalizeTag(tag: string): string {
  const text = normalizeText(tag);
  const names = [
    text.replaceAll(/[^\p{L}\p{N}]+/gu, " "),
    text.replace(/^-+/, ""),
    tag.toLowerCase(),
  ];
  return names.map((name) => name.trim()).find(Boolean) ?? "";
}

/** Returns the term of a word in `createTerms`. */
export function toWordTerm(word: string): string {
  return Array.from(word).slice(0, MAX_WORD_LENGTH).join("");
}

/** Returns the term of a whole tag in `createTerms`. */
export function toTagTerm(tag: string): string {
  return `#${normalizeTag(tag)}`;
}

/** Returns the term of a language in `createTerms`. Words and tags have no such character. */
export function toLanguageTerm(language: string): string {
  return `@${language}`;
}

/**
 * Returns what a story is found by: its language, its tags, and the beginnings of all words in its title, author, tags and
 * description. If there are too many, the beginnings of words in the description are left out first.
 */
export function createTerms({
  title,
  author,
  tags,
  description,
  language,
}: SearchableText & { language?: string | undefined }): string[] {
  const first = splitWords([title, author ?? "", ...tags].join(" "));
  const descriptionWords = splitWords(description);
  const terms = new Set([
    ...(language === undefined ? [] : [toLanguageTerm(language)]),
    ...tags.map(toTagTerm),
    ...first.flatMap(toBeginnings),
    ...descriptionWords.map(toWordTerm),
    ...descriptionWords.flatMap(toBeginnings),
  ]);
  return [...terms].slice(0, MAX_TERMS);
}

/** Returns the term of a word and all its prefixes, longest first. */
function toBeginnings(word: string): string[] {
  const characters = Array.from(toWordTerm(word));
  return characters.map((_, index) => characters.slice(0, characters.length - index).join(""));
}

/** Whether each word is the beginning of a word of the story. */
export function matchesStory(story: SearchableText, words: readonly string[]): boolean {
  const { title, author, tags, description } = story;
  return matchesText([title, author ?? "", ...tags, description].join(" "), words);
}

/** Whether each word is the beginning of a word of the text. */
export function matchesText(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const textWords = splitWords(text);
  return words.every((word) => textWords.some((textWord) => textWord.startsWith(word)));
}
