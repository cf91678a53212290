import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { loadUnseen } from "#app/chat/unseen.server.ts";
import { getEnv } from "#app/env.server.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { setRequestKind } from "#app/http/outgoing-calls.server.ts";
import { findPictureBucket } from "#app/pictures/picture-bucket.server.ts";
import {
  getRateLimits,
  RATE_LIMIT_WINDOW_MS,
  describeWait,
} from "#app/session/rate-limit.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { toUser } from "#app/session/user.ts";
import { setSessionEndedFlash } from "#app/site/flash/flash.server.ts";
import { loadUncounted } from "#app/stories/readers/readers.server.ts";
import { getWriters } from "#app/stories/writers/writers.server.ts";
import {
  createAboutFiles,
  listDraftFiles,
  listDraftHeads,
  listOtherFiles,
} from "./data-files.server.ts";
import { FORMAT, type About } from "./data-format.server.ts";
import { readFileNumber, toFilesPath } from "./data-path.ts";
import { writeZip, type CompressedFile, type TextFile } from "./zip.server.ts";

/**
 * A Worker on the free plan may make 50 subrequests per request. The versions of a draft take one, and about fifteen
 * are for everything else.
 *
 * @see https://developers.cloudflare.com/workers/platform/limits/#subrequests
 */
const DRAFTS_PER_FILE = 25;

/** In bytes, about: a file with more could not be imported again. */
const PICTURE_BYTES_PER_FILE = 8_000_000;

/**
 * Sends a ZIP with everything that the signed-in user has stored. Reads and sends it piece by piece. A user with more
 * data than fits into one file is redirected to the links to several.
 */
export async function downloadData({ request, context }: LoaderFunctionArgs): Promise<Response> {
  setRequestKind("long");
  const { user, headers, hasEnded } = await getUser({ request, context }, "action");
  if (!user) {
    const flash = setSessionEndedFlash(request, hasEnded);
    return redirect("/login", { headers: joinHeaders(headers, flash) });
  }
  if (!user.idToken) return toTextResponse(503, SIGN_IN_UNAVAILABLE, headers);
  const { uid } = user;
  if (!(await getRateLimits(context).consume("data", uid))) {
    const { words, retryAfter } = describeWait(RATE_LIMIT_WINDOW_MS);
    const text = `You're doing that too often. Go back and try again in ${words}.\n`;
    return toTextResponse(429, text, joinHeaders(headers, retryAfter));
  }

  const firestore = asUser(getEnv(context), user);
  const bucket = findPictureBucket(context);
  const [drafts, pictures, isUnseen, isUncounted, writer] = await Promise.all([
    catchUnavailable(listDraftHeads(firestore, uid)),
    catchUnavailable(bucket ? bucket.list(uid) : Promise.resolve([])),
    loadUnseen(context, user),
    loadUncounted(context, user),
    catchUnavailable(getWriters(context).find(uid)),
  ]);
  if (drafts instanceof UnavailableError || writer instanceof UnavailableError) {
    return toTextResponse(503, DATABASE_UNAVAILABLE, headers);
  }
  if (pictures instanceof UnavailableError) {
    return toTextResponse(503, PICTURES_UNAVAILABLE, headers);
  }
  const { file, files } = readFileNumber(new URL(request.url).searchParams);
  const bytes = pictures.reduce((sum, { size }) => sum + size, 0);
  // Operators have removed those without bytes.
  const names = pictures
    .filter(({ size }) => size > 0)
    .map(({ path }) => path.slice(path.lastIndexOf("/") + 1));
  const needed = Math.max(drafts.length / DRAFTS_PER_FILE, bytes / PICTURE_BYTES_PER_FILE);
  if (files === 1 && needed > 1) return redirect(toFilesPath(1 + Math.ceil(needed)), { headers });

  const { displayName, email, photoURL } = toUser(user);
  const about: About = {
    app: "Inkglade",
    format: FORMAT,
    file,
    files,
    account: { displayName, email, photoURL, about: writer?.about ?? "", isUnseen, isUncounted },
    pictures: names,
  };
  // Of several files, the first has everything but drafts and pictures.
  const isInFile = ({ id }: { id: string }) => files === 1 || toFileOf(id, files) === file;
  async function* listFiles(): AsyncGenerator<TextFile | CompressedFile> {
    yield* createAboutFiles(about);
    if (file === 1) yield* listOtherFiles(firestore, uid);
    yield* listDraftFiles(firestore, drafts instanceof Array ? drafts.filter(isInFile) : []);
    for (const id of names) {
      const picture = isInFile({ id }) ? await bucket?.open(`/pictures/${uid}/${id}`) : undefined;
      if (!picture) continue;
      yield {
        name: `pictures/${id}`,
        bytes: new Uint8Array(await new Response(picture).arrayBuffer()),
      };
    }
  }
  const name = files === 1 ? "inkglade.zip" : `inkglade-${file}-of-${files}.zip`;
  return new Response(toStream(writeZip(listFiles())), {
    headers: {
      ...headers,
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}

const SIGN_IN_UNAVAILABLE = "We can't reach the sign-in service. Go back and try again.\n";
const PICTURES_UNAVAILABLE = "We can't load your pictures right now. Go back and try again.\n";
const DATABASE_UNAVAILABLE = "We can't reach our database. Go back and try again.\n";

function toTextResponse(status: number, text: string, headers: HeadersInit): Response {
  const more = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(text, { status, headers: joinHeaders(headers, more) });
}

/**
 * Returns the number of the file, from 2, that a draft is in. Its id alone decides, so that no draft is left out when
 * another is created or deleted between two downloads.
 */
function toFileOf(id: string, files: number): number {
  let hash = 0;
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) % 1_000_003;
  return 2 + (hash % (files - 1));
}

/**
 * Returns the chunks as a stream. An error aborts the download, so that browsers do not mistake an incomplete file for
 * a complete one; and the list of files, with which a ZIP ends, is missing.
 */
function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
