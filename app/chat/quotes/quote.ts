import { removeBidiControls } from "#app/ui/bdi.tsx";
import { truncate } from "#app/ui/truncate.ts";

/** The longest quote, in UTF-16 units. */
const MAX_QUOTE_LENGTH = 600;

/** The quote, its path on a separate line, and the rest of the text. */
const QUOTE = /^“([^\n]+)”\n(\/read\/[^\s#/?]+#p-[\da-z]+(?:-\d+)?)(?:\n([^]*))?$/;

/** The quote in a message about a passage. `firestore.rules` has the same expression. */
const PASSAGE_QUOTE =
  /^“[^\n]+”\n\/read\/([A-Za-z0-9-]{1,100})#(p-[0-9a-z]{1,7}(?:-[0-9]{1,6})?)(?:\n[^]*)?$/;

/** The first line of a message about a story: its path. `firestore.rules` has the same expression. */
const STORY_LINE = /^(\/read\/([A-Za-z0-9-]{1,100})\n)([^]+)$/;

/** Lines that repeat the message that is answered, and the empty line below, after which an answer may begin with ">". */
const ANSWERED_LINES = /^(?:>[^\n]*(?:\n|$))+\n?/;

/** The first of these lines: the sender's name, and their first words. */
const ANSWERED = /^> (.*?)(?:: (.*))?$/m;

/** A line with the path of a quote, wherever it is in a message, also in a reply. */
const PATH_LINE = /^(?:> )*\/read\/([^\s#/?]+)#(p-[\da-z]+(?:-\d+)?)$/gm;

/** Words of a story, quoted in a message. */
export interface Quote {
  words: string;
  /** The story's path, with the id of the paragraph as its hash. */
  path: string;
  /** What the sender wrote below the quote; may be empty. */
  comment: string;
}

/** A paragraph of a story. */
export interface Passage {
  /** The id of the story. */
  story: string;
  /** The id of the paragraph. */
  paragraph: string;
}

/** What the first lines of a message say that it is about: a passage, or a story. */
export type Subject = Passage | { story: string; paragraph: null };

/** Returns the text of a message that begins with the quote: plain text, readable without this format. */
export function formatQuote({ words, path }: Pick<Quote, "words" | "path">): string {
  const text = words.trim().replaceAll(/\s+/g, " ");
  const shown = truncate(text, MAX_QUOTE_LENGTH);
  return `“${text.length > MAX_QUOTE_LENGTH ? `${shown}…` : shown}”\n${path}\n`;
}

/** Returns the quote that a message begins with, or `null`. */
export function readQuote(text: string): Quote | null {
  const [, words, path, comment = ""] = QUOTE.exec(text) ?? [];
  if (words === undefined || path === undefined) return null;
  return { words, path, comment: comment.trim() };
}

/** Splits a text into the lines that say what it is about, with the line break after them, and the rest. */
export function splitQuote(text: string): [quote: string, rest: string] {
  const [, words, path, rest = ""] = QUOTE.exec(text) ?? [];
  if (words !== undefined && path !== undefined) return [`“${words}”\n${path}\n`, rest];
  const [, line = "", , others = text] = STORY_LINE.exec(text) ?? [];
  return [line, others];
}

/** Splits a reply into the lines that say what it is about and what it answers, and the answer. */
export function splitReply(text: string): [lines: string, answer: string] {
  const [quote, rest] = splitQuote(text);
  const [answered = ""] = ANSWERED_LINES.exec(rest) ?? [];
  return [quote + answered, rest.slice(answered.length)];
}

/** Returns the sender and the first words of the answered message, as the lines of the reply quote them. */
export function readAnswered(lines: string): { name: string; words: string } {
  const [, name = "", words = ""] = ANSWERED.exec(lines) ?? [];
  return { name, words };
}

/**
 * Puts the lines of a reply before a text. They begin with the quote of the answered message, if it has one, so that a
 * reply to a message about a later part is about that part too. A quote that the text has itself is not repeated.
 */
export function addReply(text: string, lines: string): string {
  const [own, rest] = splitQuote(text);
  const [quote] = splitQuote(lines);
  return quote && own !== quote ? lines + text : own + lines.slice(quote.length) + rest;
}

/** Returns the first line of a message about a story. */
export function formatStoryLine(story: string): string {
  return `/read/${story}\n`;
}

/**
 * Adds lines below a text. A quote is put first, because only there it is a card. The text's own quote is not
 * repeated.
 */
export function addLines(text: string, lines: string): string {
  if (!text.trim()) return lines;
  const [quote, rest] = splitQuote(lines);
  const [shown] = splitQuote(text);
  if (quote && !shown) return `${quote}${text}${rest && `\n${rest}`}`;
  return `${text}\n${quote === shown ? rest : lines}`;
}

/** Puts a quote before a text, unless the text begins with one. */
export function addQuote(text: string, quote: string): string {
  return splitQuote(text)[0] ? text : quote + text;
}

/** Whether a message is about a passage; with a story, about the story or one of its passages. */
export function isAbout(text: string, { story, paragraph }: Subject): boolean {
  const subject = readSubject(text);
  return subject?.story === story && (paragraph === null || subject.paragraph === paragraph);
}

/** Returns the passages that a message quotes, wherever in its text. */
export function listPassages(text: string): Passage[] {
  return Array.from(text.matchAll(PATH_LINE), ([, story = "", paragraph = ""]) => ({
    story,
    paragraph,
  }));
}

/** Whether messages can be about a story with this id. */
export function isStory(id: string): boolean {
  return isAbout(`${formatStoryLine(id)}x`, { story: id, paragraph: null });
}

/** Whether messages can be about a passage. */
export function isPassage(passage: Passage): boolean {
  return isAbout(`“x”\n/read/${passage.story}#${passage.paragraph}`, passage);
}

/** Whether a message may have a stored topic: it begins with the lines of a subject, or of a reply. */
export function mayHaveTopic(text: string): boolean {
  return splitQuote(text)[0] !== "" || isReply(text);
}

/** Whether the text says that it answers another message. */
export function isReply(text: string): boolean {
  return splitQuote(text)[1].startsWith("> ");
}

/** Returns what the first lines of a message say that it is about, or `null`. */
export function readSubject(text: string): Subject | null {
  const [, story, paragraph] = PASSAGE_QUOTE.exec(text) ?? [];
  if (story !== undefined && paragraph !== undefined) return { story, paragraph };
  const [, , named] = STORY_LINE.exec(text) ?? [];
  return named === undefined ? null : { story: named, paragraph: null };
}

/** The text of a message, and what it answers, if it is known. */
interface Said {
  text: string;
  topic?: { replyTo: string | null } | undefined;
}

/**
 * Splits a message into the lines that say what it is about and what it answers, and the sender's own words. Only with the
 * topic of a reply do lines that begin with ">" belong to the former.
 */
export function splitMessage({ text, topic }: Said): [lines: string, words: string] {
  return topic?.replyTo ? splitReply(text) : splitQuote(text);
}

/**
 * Returns the beginning of a message that replies to another: lines of plain text that begin with ">". A reply to a message
 * about a passage is about the passage too, so it begins with the same quote.
 */
export function formatReply(message: Said & { displayName: string }): string {
  const [quote] = splitQuote(message.text);
  const words = splitMessage(message)[1].trim();
  // The first ": " ends the name.
  const name = removeBidiControls(message.displayName).replaceAll(/:+ /g, " ");
  const shown = truncate(words, MAX_QUOTE_LENGTH);
  const isLong = words.length > MAX_QUOTE_LENGTH;
  const reply = words ? `${name}: ${isLong ? `${shown}…` : shown}` : name;
  // The answer may begin with ">" too, so an empty line is between them.
  return `${quote}${reply.replaceAll(/^/gm, "> ")}\n\n`;
}
