import { expect, test } from "vitest";
import type * as z from "zod";

import { startFirebase } from "#tests/support/firebase.ts";
import { call, type Fields } from "./requests.ts";

/** A kind of document that is private to a user. */
export interface OwnDocument {
  /** For test titles, with an article. */
  what: string;
  /** The name of the collection below `users/{uid}`. */
  collection: string;
  ids: [string, string];
  /** Valid fields. */
  fields: Fields;
  schema: z.ZodType;
}

/** Tests that only the user can read and write the documents. */
export function describeOwner({ what, collection, ids: [id, another], fields }: OwnDocument) {
  test(`only the user can read and write ${what}`, async () => {
    await using firebase = await startFirebase();
    const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
    const list = `users/${ana.localId}/${collection}`;
    const own = `${list}/${id}`;

    expect(await call(firebase, ana, "PATCH", own, fields)).toBe(200);
    expect(await call(firebase, ana, "GET", own)).toBe(200);
    for (const other of [tomas, null]) {
      expect(await call(firebase, other, "PATCH", own, fields)).toBe(403);
      expect(await call(firebase, other, "PATCH", `${list}/${another}`, fields)).toBe(403);
      expect(await call(firebase, other, "GET", own)).toBe(403);
      expect(await call(firebase, other, "DELETE", own)).toBe(403);
    }
    expect(await call(firebase, ana, "DELETE", own)).toBe(200);
    expect(await call(firebase, ana, "GET", own)).toBe(404);
  });
}

/** Tests that the rules accept the same fields as the schema. */
export function describeFields(
  { what, collection, ids: [id], fields, schema }: OwnDocument,
  changes: [what: string, change: Fields][],
) {
  async function write(given: Fields): Promise<number> {
    await using firebase = await startFirebase();
    const user = await firebase.addAccount();
    return await call(firebase, user, "PATCH", `users/${user.localId}/${collection}/${id}`, given);
  }

  test.each(changes)(`rules and schema agree on ${what} with %s`, async (_what, change) => {
    const given = { ...fields, ...change };

    expect(await write(given)).toBe(schema.safeParse(given).success ? 200 : 403);
  });

  test.each(Object.keys(fields))(`rejects ${what} without its %s`, async (name) => {
    const given = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

    expect(await write(given)).toBe(403);
  });
}
