import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import * as z from "zod";

import { createServiceGetter, getEnv, type Env } from "#app/env.server.ts";
import { readValue } from "#app/firebase/database.server.ts";
import { isDocumentRequest } from "#app/http/page-request.server.ts";
import { createReadCache } from "#app/http/cache.server.ts";
import { getMessagesChangedAt } from "#app/http/page-record.server.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { countPeopleInRoom } from "#app/stories/readers/readers.server.ts";
import { getAnswers } from "./answers/answers.server.ts";
import { getConnectionsPath, STALE_AFTER_MS } from "./presence.ts";
import { getHiddenUids } from "./hidden.server.ts";
import type { RoomSummary } from "./room-summary.ts";
import { getMessages } from "./stored-messages.server.ts";

const TIMEOUT_MS = 2000;

/** The maximum number of people that are counted. */
const MAX_COUNTED = 99;

/** How long the number of people may be reused. Otherwise each page would read their connections. */
const COUNT_MAX_AGE_MS = 10_000;

const PEOPLE = "people";

const getCounts = createServiceGetter(() => createReadCache<number>(() => Date.now()));

const connectionsSchema = z
  .record(z.string(), z.record(z.string(), z.object({ time: z.number() })))
  .nullable();

/**
 * Responds to scripts with what the header shows of the room and of the answers to the user. All reads are limited in
 * size. The rules let only signed-in users see who is here. Visitors get the number of people who want to be counted.
 */
export async function loadRoomSummary({ request, context }: LoaderFunctionArgs): Promise<Response> {
  if (isDocumentRequest(request)) return redirect("/home#room");
  const { user, headers, hasEnded } = await getUser({ request, context });
  const env = getEnv(context);
  const changedAt = getMessagesChangedAt(context);
  const [count, newest, hiddenUids] = await Promise.all([
    // The link also works without a number.
    user?.idToken
      ? getCounts(context)
          .read(PEOPLE, { maxAgeMs: COUNT_MAX_AGE_MS }, () => countPeople(env, user))
          .then(({ value }) => value)
          .catch(() => null)
      : countPeopleInRoom(context),
    catchUnavailable(getMessages(context).findNewest(changedAt)),
    getHiddenUids({ request, context }),
  ]);
  const answers =
    user?.idToken && !(newest instanceof UnavailableError)
      ? await catchUnavailable(
          getAnswers(context).countNew(user, newest?.createdAt ?? 0, changedAt),
        )
      : undefined;
  const known = newest instanceof UnavailableError ? null : newest;
  const summary: RoomSummary = {
    here:
      count === null ? null : { value: Math.min(count, MAX_COUNTED), hasMore: count > MAX_COUNTED },
    newest: known && !hiddenUids.includes(known.uid) ? known : null,
    ...(answers !== undefined && !(answers instanceof UnavailableError) && { answers }),
    ...(hasEnded && { hasEnded }),
  };
  return Response.json(summary, { headers: { ...headers, "Cache-Control": "no-store" } });
}

/** @throws {Error} when the database is unavailable, or rejects the request */
async function countPeople(env: Env, user: AuthUser): Promise<number> {
  const options = { limit: MAX_COUNTED + 1, timeoutMs: TIMEOUT_MS };
  const people = connectionsSchema.parse(await readValue(env, user, getConnectionsPath(), options));
  const since = Date.now() - STALE_AFTER_MS;
  return Object.values(people ?? {}).filter((connections) =>
    Object.values(connections).some(({ time }) => time > since),
  ).length;
}
