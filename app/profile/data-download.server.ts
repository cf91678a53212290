import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getAnswersPath } from "#app/chat/answers/answer.ts";
import { getHiddenPath } from "#app/chat/hidden.ts";
import { getMessagesPath } from "#app/chat/message.ts";
import { ROOM_ID } from "#app/chat/room-address.ts";
import { loadUnseen } from "#app/chat/unseen.server.ts";
import { getEnv } from "#app/env.server.ts";
import type { DocumentSnapshot, Firestore, QueryOptions } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { setRequestKind } from "#app/http/outgoing-calls.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { toUser } from "#app/session/user.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import { getSharesPath } from "#app/stories/counts/counts-schema.ts";
import { getPositionsPath } from "#app/stories/positions/position.ts";
import { loadUncounted } from "#app/stories/readers/readers.server.ts";
import { joinText, getPathsWithText } from "#app/stories/story-text.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import { getDraftsPath } from "#app/writing/draft.ts";

/** Few, because each may have a text of 1.5 MB. */
const TEXTS_PER_READ = 10;
const DOCUMENTS_PER_READ = 300;

/** Sends one JSON file with everything that the signed-in user has stored. Reads and sends it piece by piece. */
export async function downloadData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  setRequestKind("long");
  const { user, headers, hasEnded } = await getUser({ request, context }, "action");
  if (!user) {
    const flash = setSessionEndedFlash(request, hasEnded);
    return redirect("/login", { headers: joinHeaders(headers, flash) });
  }
  if (!user.idToken) return createUnavailableResponse(headers);
  const { uid } = user;
  const firestore = asUser(getEnv(context), user);
  const { displayName, email, photoURL } = toUser(user);
  const [isUnseen, isUncounted, writer] = await Promise.all([
    loadUnseen(context, user),
    loadUncounted(context, user),
    catchUnavailable(getWriters(context).find(uid)),
  ]);
  if (writer instanceof UnavailableError) throw writer;
  const own = { where: [["uid", "==", uid]] } as const;
  const lists = {
    drafts: readTexts(firestore, getDraftsPath(uid)),
    draftVersions: readVersions(firestore, getDraftsPath(uid)),
    stories: readTexts(firestore, "stories", own),
    messages: readAll(firestore, getMessagesPath(ROOM_ID), own),
    // With the lists of saved stories, followed writers and what is hidden.
    readingPositions: readAll(firestore, getPositionsPath(uid)),
    countedStories: readAll(firestore, getSharesPath(uid)),
    // References to messages of others, without their words, and what of it was read.
    answers: readAll(firestore, getAnswersPath(uid)),
    hiddenPeople: readAll(firestore, getHiddenPath(uid)),
  };
  const account = { displayName, email, photoURL };
  const about = writer?.about ?? "";
  const start = JSON.stringify({ account, about, isUnseen, isUncounted });
  return new Response(toStream(writeJson(start, lists)), {
    headers: {
      ...headers,
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="inkglade.json"',
      "Cache-Control": "no-store",
    },
  });
}

function createUnavailableResponse(headers: HeadersInit): Response {
  const more = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response("We can't reach the sign-in service. Go back and try again.\n", {
    status: 503,
    headers: joinHeaders(headers, more),
  });
}

/** Yields a collection in pages, ordered by id. */
async function* readPages(
  firestore: Firestore,
  path: string,
  query: Omit<QueryOptions, "startAfter">,
): AsyncGenerator<DocumentSnapshot[]> {
  let startAfter: string | undefined;
  for (;;) {
    const documents = await firestore.query(path, { ...query, startAfter });
    if (documents.length > 0) yield documents;
    startAfter = documents.at(-1)?.path;
    if (documents.length < query.limit) return;
  }
}

async function* readAll(
  firestore: Firestore,
  path: string,
  query: Pick<QueryOptions, "where"> = {},
): AsyncGenerator<object> {
  const limit = DOCUMENTS_PER_READ;
  for await (const documents of readPages(firestore, path, { ...query, limit })) {
    yield* documents.map(({ id, fields }) => ({ id, ...fields }));
  }
}

/** Yields a collection of drafts, versions or stories with their texts. */
async function* readTexts(
  firestore: Firestore,
  path: string,
  query: Pick<QueryOptions, "where"> = {},
): AsyncGenerator<object> {
  const page = { ...query, limit: TEXTS_PER_READ, isKeysOnly: true };
  for await (const texts of readPages(firestore, path, page)) {
    const paths = texts.map((text) => getPathsWithText(text.path));
    const { documents } = await firestore.batchGet(paths.flat());
    for (const [index, { id }] of texts.entries()) {
      const count = paths[index]?.length ?? 0;
      const own = documents.slice(index * count, (index + 1) * count);
      const text = joinText(own.map((document) => document && document.fields));
      if (text) yield { id, ...text };
    }
  }
}

/** Yields the versions of all drafts, each with its draft's id. */
async function* readVersions(firestore: Firestore, path: string): AsyncGenerator<object> {
  const page = { limit: DOCUMENTS_PER_READ, isKeysOnly: true };
  for await (const drafts of readPages(firestore, path, page)) {
    for (const draft of drafts) {
      for await (const version of readTexts(firestore, `${draft.path}/versions`)) {
        yield { draft: draft.id, ...version };
      }
    }
  }
}

/** Yields the JSON `start` of an object, with the lists added as properties. */
async function* writeJson(
  start: string,
  lists: Record<string, AsyncIterable<object>>,
): AsyncGenerator<string> {
  yield start.slice(0, -1);
  for (const [name, list] of Object.entries(lists)) {
    yield `,\n${JSON.stringify(name)}: [`;
    let separator = "\n";
    for await (const item of list) {
      yield separator + JSON.stringify(item);
      separator = ",\n";
    }
    yield "\n]";
  }
  yield "}\n";
}

/**
 * Returns the chunks as a stream. An error aborts the download, so that browsers do not mistake an incomplete file for
 * a complete one.
 */
function toStream(chunks: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
