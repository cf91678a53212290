import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import type { Fields } from "#app/firebase/firestore-types.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { FirestoreError, requireRead } from "#app/firebase/firestore-error.server.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import type { UserWithToken } from "#app/session/user.ts";
import { BUILT_IN_WRITER } from "#app/stories/built-in.server.ts";
import { readFollowing, readHiddenItems, readSaved } from "#app/stories/library/library.server.ts";
import {
  getFollowingPath,
  getHiddenItemsPath,
  getSavedPath,
  type FollowedWriter,
  type HiddenItem,
  type SavedStory,
} from "#app/stories/library/library.ts";
import { getPublishedStories } from "#app/stories/published.server.ts";
import { MAX_ABOUT_LENGTH, getWriterPath } from "./writer.ts";

const CALL_OPTIONS = { timeoutMs: 2000 };

/** The fields of a writer's public document. `firestore.rules` repeats the limits. */
const writerSchema = z.strictObject({
  name: z.string(),
  about: z.string().refine((text) => text.length <= MAX_ABOUT_LENGTH),
  photoURL: z.string().nullable(),
  updatedAt: z.date(),
});

type WriterFields = Pick<z.infer<typeof writerSchema>, "name" | "about" | "photoURL">;

interface WriterAndLists {
  /** `undefined` for a writer without a document. */
  writer: WriterFields | undefined;
  saved: SavedStory[];
  following: FollowedWriter[];
  hidden: HiddenItem[];
}

const BUILT_IN_ABOUT = "The twelve stories that come with Inkglade. Read one, then write your own.";

/** Reads and writes what writers say about themselves, which is public. */
function createWriterService(env: Env, findAuthor: (uid: string) => Promise<string | undefined>) {
  return {
    /**
     * Returns a writer's document together with a user's lists, in one request.
     *
     * @param user `null` for a visitor
     * @throws {UnavailableError}
     */
    async findWithLists(uid: string, user: UserWithToken | null): Promise<WriterAndLists> {
      const paths = [
        getWriterPath(uid),
        ...(user
          ? [getSavedPath(user.uid), getFollowingPath(user.uid), getHiddenItemsPath(user.uid)]
          : []),
      ];
      const batch = asUser(env, user).batchGet(paths, CALL_OPTIONS);
      const { documents } = await batch.catch((error: unknown) => {
        if (!(error instanceof FirestoreError) || !user) throw error;
        // The document is public, so a rejected token must not hide it.
        return requireRead(asUser(env, null).batchGet([getWriterPath(uid)], CALL_OPTIONS));
      });
      const [writer, saved, following, hidden] = documents;
      return {
        writer: readWriter(writer?.fields),
        saved: readSaved(saved?.fields),
        following: readFollowing(following?.fields),
        hidden: readHiddenItems(hidden?.fields),
      };
    },

    /** Returns the name of a writer with a published story; `undefined` if there is none. */
    async findName(uid: string): Promise<string | undefined> {
      if (uid === BUILT_IN_WRITER.uid) return BUILT_IN_WRITER.author;
      return isDocumentId(uid) ? findAuthor(uid) : undefined;
    },

    /**
     * Returns a writer's document; `undefined` if there is none.
     *
     * @throws {UnavailableError}
     */
    async find(uid: string): Promise<WriterFields | undefined> {
      const document = await requireRead(asUser(env, null).get(getWriterPath(uid), CALL_OPTIONS));
      return readWriter(document?.fields);
    },

    /**
     * Saves what a user says about themselves, with their name and photo.
     *
     * @throws {FirestoreError | UnavailableError}
     */
    async save(user: UserWithToken, fields: WriterFields): Promise<void> {
      const serverTimestamps = ["updatedAt"];
      await asUser(env, user).commit([{ path: getWriterPath(user.uid), fields, serverTimestamps }]);
    },
  };
}

function readWriter(fields: Fields | null | undefined): WriterFields | undefined {
  return writerSchema.safeParse(fields).data;
}

/** The line about the writer of the built-in stories. */
export const builtInWriterView = {
  name: BUILT_IN_WRITER.author,
  about: BUILT_IN_ABOUT,
  photoURL: null,
};

export const getWriters = createServiceGetter((env, context) =>
  createWriterService(env, (uid) => getPublishedStories(context).findAuthor(uid)),
);
