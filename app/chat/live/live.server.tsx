import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

import { getHiddenPeople } from "#app/chat/hidden.server.ts";
import { addTopics } from "#app/chat/quotes/quoted-stories.server.ts";
import { getMessages } from "#app/chat/stored-messages.server.ts";
import { AFTER_PARAM, AROUND_PARAM, PART_PARAM, toLivePath } from "#app/chat/room-address.ts";
import { readCursor } from "#app/firebase/cursor.ts";
import { setRequestKind } from "#app/http/outgoing-calls.server.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { getUser } from "#app/session/user.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { getTheme } from "#app/site/theme/theme.server.ts";
import { isBefore, PAGE_SIZE, type Message } from "#app/chat/message.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { wait } from "#app/http/wait.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import type { Theme } from "#app/site/theme/theme.tsx";
import {
  LiveGap,
  LiveList,
  LiveMessages,
  LiveNextLink,
  LiveObject,
  LivePage,
  LiveRefresh,
  LiveStatus,
  type LiveMessagesProps,
} from "./live-page.tsx";

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

/**
 * How many times one page reads the messages. Cloudflare's free plan allows 50 subrequests for each request: the session
 * may need four, the list of hidden people one, and each read two, one of them for the topics of its messages. It also
 * allows 10 ms of CPU time; `docs/scale.md` says how much is used.
 *
 * @see https://developers.cloudflare.com/workers/platform/limits/
 */
export const MAX_POLLS = 20;

/** The time between two reads after a message has arrived. Without messages it grows to `MAX_INTERVAL_MS`. */
const MIN_INTERVAL_MS = 5000;
const MAX_INTERVAL_MS = 12_000;
const INTERVAL_GROWTH = 1.25;

/** How many pages follow each other automatically: about an hour, after which a forgotten tab stops reading. */
export const MAX_PARTS = 16;

/**
 * Each read starts this much earlier, because a message may become visible after one with a later time. The overlap
 * costs nothing: a query without results is billed as one read, too.
 */
const OVERLAP_MS = 2000;

interface LiveOptions {
  theme: Theme;
  stylesheets: readonly string[];
  locale: Locale;
  uid: string | undefined;
  /** The message after which the list begins; `null` for the newest 50. */
  after: { id: string; createdAt: number } | null;
  /** The path and query of the page around the frame. */
  around: string;
  /** @throws {UnavailableError} */
  listSince: (since: number, signal: AbortSignal) => Promise<Message[]>;
  /** Adds what messages are about. */
  addTopics: (messages: readonly Message[]) => Promise<Message[]>;
  /**
   * Returns the people whose messages are not shown.
   *
   * @throws {UnavailableError}
   */
  listHidden: () => Promise<readonly string[]>;
}

/** Returns the page that loads the list once it is visible. */
function renderLazyLivePage({ theme, stylesheets, after, around }: LiveOptions): string {
  return renderPage(
    <LivePage theme={theme} stylesheets={stylesheets}>
      <LiveObject path={toLivePath({ after, part: 0, around })} />
    </LivePage>,
  );
}

/** Returns the page that is shown before the first list. It is complete, so the page around it can finish loading. */
function renderEmptyLivePage({ theme, stylesheets, after, around }: LiveOptions): string {
  return renderPage(
    <LivePage theme={theme} stylesheets={stylesheets}>
      <LiveRefresh path={toLivePath({ after, part: 1, around })} />
      <LiveList />
    </LivePage>,
  );
}

/**
 * Streams a page with the messages that arrive. After `MAX_POLLS` reads the page ends with a link to the next page.
 *
 * @param part counts the pages that follow each other, from 1
 */
function streamLive(options: LiveOptions, part: number): ReadableStream<Uint8Array> {
  const ended = new AbortController();
  const chunks = generate(options, part, ended.signal);
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          if (!ended.signal.aborted) throw error;
        }
      },
      // The browser has closed the page.
      cancel: () => ended.abort(),
    },
    // Reads nothing for a response whose body is dropped, as for HEAD.
    { highWaterMark: 0 },
  );
}

async function* generate(
  options: LiveOptions,
  part: number,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { theme, stylesheets, after, around, uid, locale } = options;
  const [start = "", end = ""] = renderPage(
    <LivePage theme={theme} stylesheets={stylesheets}>
      <LiveList />
    </LivePage>,
  ).split("</ol>");
  yield start;

  const { poll, known, hiddenUids } = createPoll(options);
  // Without a uid, the first message starts a group: the one before it is outside of this page.
  let previous: LiveMessagesProps["previous"] = after ? { ...after, uid: "" } : undefined;
  let isFailing = false;
  let intervalMs = MIN_INTERVAL_MS;
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    if (polls > 0) await wait(intervalMs, signal);
    const polled = await catchUnavailable(poll(signal));
    intervalMs = Math.min(intervalMs * INTERVAL_GROWTH, MAX_INTERVAL_MS);
    if (polled instanceof UnavailableError) {
      yield isFailing ? KEEP_ALIVE : render(<LiveStatus>{UNAVAILABLE}</LiveStatus>);
      isFailing = true;
      continue;
    }
    const { messages, hasGap } = polled;
    if (messages.length > 0) {
      const now = Date.now();
      yield render(
        <>
          {hasGap ? <LiveGap around={around} /> : null}
          <LiveMessages
            messages={messages}
            previous={previous}
            originals={{ messages: known, viewer: { uid, hiddenUids } }}
            locale={locale}
            now={now}
          />
        </>,
      );
      previous = messages.at(-1);
      intervalMs = MIN_INTERVAL_MS;
    } else {
      // An empty status replaces the one about the failure.
      yield isFailing ? render(<LiveStatus />) : KEEP_ALIVE;
    }
    isFailing = false;
  }
  const isAutomatic = part < MAX_PARTS;
  const path = toLivePath({ after, part: isAutomatic ? part + 1 : 1, around });
  yield `${render(<LiveNextLink path={path} isAutomatic={isAutomatic} />)}</ol>${end}`;
}

const UNAVAILABLE = "We can't reach the room right now. We're trying again.";

/** Prevents proxies from closing a connection without traffic. */
const KEEP_ALIVE = "\n";

/**
 * Returns a function that returns the messages since its last call, without those of hidden people, and whether there may be
 * earlier ones: only the newest 50 are read.
 */
function createPoll({ after, listSince, addTopics, listHidden }: LiveOptions) {
  const known = new Map<string, Message>();
  const hiddenUids = new Set<string>();
  let isHiddenKnown = false;
  let lastTime = after?.createdAt ?? 0;

  async function poll(signal: AbortSignal): Promise<{ messages: Message[]; hasGap: boolean }> {
    // Throws if the list cannot be read, so that no message of a hidden person is shown.
    if (!isHiddenKnown) for (const uid of await listHidden()) hiddenUids.add(uid);
    isHiddenKnown = true;
    const messages = await listSince(Math.max(0, lastTime - OVERLAP_MS), signal);
    const newMessages = messages.filter(
      (message) => !known.has(message.id) && (after === null || isBefore(after, message)),
    );
    const hasGap = lastTime > 0 && newMessages.length === PAGE_SIZE;
    const added = await addTopics(newMessages);
    for (const message of added) {
      known.set(message.id, message);
      lastTime = Math.max(lastTime, message.createdAt ?? 0);
    }
    return { messages: added.filter(({ uid }) => !hiddenUids.has(uid)), hasGap };
  }

  return { poll, known, hiddenUids };
}

function renderPage(page: ReactElement): string {
  return `<!DOCTYPE html>${render(page)}`;
}

function render(element: ReactElement): string {
  return renderToStaticMarkup(element);
}
