import { expect, test } from "vitest";
import type * as z from "zod";

import { startFirebase } from "#tests/support/firebase.ts";
import { call, type Fields } from "./requests.ts";

/** What people keep among their own documents. */
export interface OwnDocument {
  /** In words, with its article. */
  what: string;
  /** The name of the collection below `users/{uid}`. */
  collection: string;
  ids: [string, string];
  /** Those of one that is fine. */
  fields: Fields;
  schema: z.ZodType;
}

/** Nobody but their person comes near such documents. */
export function describeOwner({ what, collection, ids: [id, another], fields }: OwnDocument) {
  test(`${what} is its person's alone`, async () => {
    await using firebase = await startFirebase();
    const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
    const list = `users/${ana.localId}/${collection}`;
    const own = `${list}/${id}`;

    expect(await call(firebase, ana, "PATCH", own, fields)).toBe(200);
    expect(await call(firebase, ana, "GET", own)).toBe(200);
    expect(await call(firebase, ana, "GET", list)).toBe(200);
    for (const other of [tomas, null]) {
      expect(await call(firebase, other, "PATCH", own, fields)).toBe(403);
      expect(await call(firebase, other, "PATCH", `${list}/${another}`, fields)).toBe(403);
      expect(await call(firebase, other, "GET", own)).toBe(403);
      expect(await call(firebase, other, "GET", list)).toBe(403);
      expect(await call(firebase, other, "DELETE", own)).toBe(403);
    }
    expect(await call(firebase, ana, "DELETE", own)).toBe(200);
    expect(await call(firebase, ana, "GET", own)).toBe(404);
  });
}

/** Of such documents the rules let through what the schema does, all of its fields and no other. */
export function describeFields(
  { what, collection, ids: [id], fields, schema }: OwnDocument,
  changes: [what: string, change: Fields][],
) {
  async function keep(given: Fields): Promise<number> {
    await using firebase = await startFirebase();
    const person = await firebase.addAccount();
    return await call(
      firebase,
      person,
      "PATCH",
      `users/${person.localId}/${collection}/${id}`,
      given,
    );
  }

  test.each(changes)(`rules and schema agree on ${what} with %s`, async (_what, change) => {
    const given = { ...fields, ...change };

    expect(await keep(given)).toBe(schema.safeParse(given).success ? 200 : 403);
  });

  test.each(Object.keys(fields))(`${what} without its %s is refused`, async (name) => {
    const given = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));

    expect(await keep(given)).toBe(403);
  });
}
