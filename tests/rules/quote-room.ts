import { expect } from "vitest";

import { RETRACTED } from "#app/chat/message.ts";
import {
  countQuote,
  getQuoteRecordPath,
  retractQuote,
} from "#app/chat/quotes/quote-record.server.ts";
import { changeDocument, readDocument } from "#tests/support/documents.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import { commit, createRecord, type Change, type Fields, type TestUser } from "./requests.ts";

export const STORY = "the-salt-road-0123456789";
export const PARAGRAPH = "p-1a2b3c";
const PASSAGE = { story: STORY, paragraph: PARAGRAPH };
export const RECORD = getQuoteRecordPath(STORY);
export const TEXT = `“The tide.”\n/read/${STORY}#${PARAGRAPH}\nWhose?`;

/** The number of messages and their ids, for each paragraph. */
export type Passages = Record<
  string,
  { count: number; ids: string[]; number?: number; by?: string }
>;

/** How many passages each user quoted first. */
export type Begun = Record<string, number>;

/** Starts a room with two users. */
export async function startRoom() {
  const firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  return {
    firebase,
    ana,
    tomas,
    /** Sets the record, bypassing the rules. */
    setPassages: (passages: Passages, begun?: Begun) => setPassages(firebase, passages, begun),
    [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose](),
  };
}

export function getMessagePath(id: string): string {
  return `rooms/general/messages/${id}`;
}

export function createMessage({ localId: uid }: TestAccount, id: string, text = TEXT): Change {
  const fields = { text, uid, displayName: "Anonymous", photoURL: null };
  return { path: getMessagePath(id), fields, times: ["createdAt"] };
}

/** A change of the story's record that names a message. */
export function createRecordChange(
  passages: Record<string, object>,
  id: string,
  changes: Fields = {},
): Change {
  const fields = { passages, begun: {}, paragraph: PARAGRAPH, id, ...changes };
  return { path: RECORD, fields, times: ["at"] };
}

/** Sends a message together with other changes. */
export async function send(
  firebase: TestFirebase,
  user: TestAccount,
  message: Change,
  ...changes: Change[]
): Promise<number> {
  const id = message.path.slice(getMessagePath("").length);
  const rate = await createRecord(firebase, user, "messages", id);
  return commit(firebase, user, message, rate, ...changes);
}

/** Sends a message that quotes the passage, as the app does. */
export async function quote(
  { firebase }: { firebase: TestFirebase },
  user: TestAccount,
  id: string,
) {
  const stored = { fields: await readRecord(firebase), updateTime: "" };
  const write = countQuote(stored, { passage: PASSAGE, id, uid: user.localId }, 4);
  if (!write || !("fields" in write)) throw new Error("The record is full");
  const change = { path: RECORD, fields: write.fields as Fields, times: ["at"] };
  expect(await send(firebase, user, createMessage(user, id), change)).toBe(200);
}

/** Retracts a message, together with the change of a record. */
export function retract(
  { firebase }: { firebase: TestFirebase },
  user: TestUser,
  id: string,
  ...changes: Change[]
): Promise<number> {
  const retraction = { path: getMessagePath(id), fields: { text: RETRACTED } };
  return commit(firebase, user, retraction, ...changes);
}

/** The change of the record that uncounts a message. */
export async function createUncountChange(firebase: TestFirebase, id: string): Promise<Change> {
  const stored = { fields: await readRecord(firebase), updateTime: "" };
  const [, write] = retractQuote(stored, { passage: PASSAGE, id });
  if (!write || !("fields" in write)) throw new Error("The message is not counted");
  return { path: RECORD, fields: write.fields as Fields, times: ["at"] };
}

async function setPassages(
  { hosts }: TestFirebase,
  passages: Passages,
  begun: Begun = {},
): Promise<void> {
  const entries = Object.entries(passages).map(([paragraph, { count, ids }]) => {
    return [paragraph, createPassageValue(count, ids)];
  });
  await changeDocument(hosts, RECORD, {
    passages: { mapValue: { fields: Object.fromEntries(entries) } },
    begun: {
      mapValue: {
        fields: Object.fromEntries(
          Object.entries(begun).map(([uid, count]) => [uid, { integerValue: String(count) }]),
        ),
      },
    },
    paragraph: { stringValue: PARAGRAPH },
    id: { stringValue: "before" },
    at: { timestampValue: "2026-01-01T00:00:00Z" },
  });
}

export function createPassageValue(count: number, ids: string[]) {
  const values = ids.map((id) => ({ stringValue: id }));
  const fields = { count: { integerValue: String(count) }, ids: { arrayValue: { values } } };
  return { mapValue: { fields } };
}

export interface StoredPassage {
  mapValue: {
    fields: {
      count: { integerValue: string };
      ids: { arrayValue: { values?: { stringValue: string }[] } };
      number?: { integerValue: string };
      by?: { stringValue: string };
    };
  };
}

export async function readPassages(firebase: TestFirebase): Promise<Passages> {
  return (await readRecord(firebase)).passages;
}

export async function readRecord({
  hosts,
}: TestFirebase): Promise<{ passages: Passages; begun: Begun }> {
  const stored = (await readDocument(hosts, RECORD)) as {
    passages?: { mapValue: { fields?: Record<string, StoredPassage> } };
    begun?: { mapValue: { fields?: Record<string, { integerValue: string }> } };
  };
  const begun = Object.entries(stored.begun?.mapValue.fields ?? {}).map(
    ([uid, { integerValue }]) => [uid, Number(integerValue)] as const,
  );
  const passages = Object.entries(stored.passages?.mapValue.fields ?? {}).map(
    ([paragraph, { mapValue }]) => {
      const { count, ids, number, by } = mapValue.fields;
      const passage = {
        count: Number(count.integerValue),
        ids: (ids.arrayValue.values ?? []).map(({ stringValue }) => stringValue),
        ...(number && { number: Number(number.integerValue) }),
        ...(by && { by: by.stringValue }),
      };
      return [paragraph, passage] as const;
    },
  );
  return { passages: Object.fromEntries(passages), begun: Object.fromEntries(begun) };
}
