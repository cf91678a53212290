import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getHiddenPeople } from "#app/chat/hidden.server.ts";
import { addTopics } from "#app/chat/quotes/quoted-stories.server.ts";
import { getMessages } from "#app/chat/stored-messages.server.ts";
import { AFTER_PARAM, AROUND_PARAM, PART_PARAM } from "#app/chat/room-address.ts";
import { readCursor } from "#app/firebase/cursor.ts";
import { setRequestKind } from "#app/http/outgoing-calls.server.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { getUser } from "#app/session/user.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { getTheme } from "#app/site/theme/theme.server.ts";
import {
  MAX_PARTS,
  renderLazyLivePage,
  renderEmptyLivePage,
  streamLive,
  type LiveOptions,
} from "./live-stream.server.tsx";

type RenderLive = (stylesheets: readonly string[]) => string | ReadableStream<Uint8Array>;

const pagesByContext = new WeakMap<AppLoadContext, RenderLive>();

/**
 * Prepares the page of a frame that shows messages as they arrive, without scripts. React could only stream it with
 * scripts, so `entry.server.tsx` sends it instead of the app.
 */
export async function loadLive({ request, context }: LoaderFunctionArgs): Promise<null> {
  setRequestKind("long");
  const { searchParams } = new URL(request.url);
  const { user } = await getUser({ request, context });
  const part = readPart(searchParams.get(PART_PARAM));
  const after = readCursor(searchParams.get(AFTER_PARAM));
  const options: Omit<LiveOptions, "stylesheets"> = {
    theme: getTheme(request),
    locale: getLocale(request, context),
    uid: user?.uid,
    after: after && { id: after.id, createdAt: after.time },
    around: toSafePath(searchParams.get(AROUND_PARAM), "/home"),
    addTopics: async (messages) => (await addTopics({ request, context }, messages)).messages,
    listSince: getMessages(context).listSince,
    listHidden: async () => {
      const people = user ? await getHiddenPeople(context).list(user) : [];
      return people.map(({ uid }) => uid);
    },
  };
  pagesByContext.set(context, (stylesheets) => {
    const page = { ...options, stylesheets };
    if (part === null) return renderLazyLivePage(page);
    return part === 0 ? renderEmptyLivePage(page) : streamLive(page, part);
  });
  return null;
}

/** Returns the page that the loader has prepared for this request. */
export function findLivePage(context: AppLoadContext): RenderLive | undefined {
  return pagesByContext.get(context);
}

function readPart(text: string | null): number | null {
  return text !== null && /^\d{1,2}$/.test(text) && Number(text) <= MAX_PARTS ? Number(text) : null;
}
