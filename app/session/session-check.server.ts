import { decodeJwt } from "jose";

import { ProviderError, toProviderError } from "#app/firebase/auth-error.server.ts";
import { withTimeout } from "#app/http/timeout.server.ts";
import { isSessionOver } from "./session.server.ts";

/** A page asks again what was asked this long ago, but one of the two only. */
const TURN_MS = 25_000;

/** A page takes no older answer: with the time that it takes itself, it shows an ended session for less than a minute. */
const MAX_AGE_MS = 50_000;

/** A page waits no longer for an answer. A late one counts for the next page. */
const PAGE_PATIENCE_MS = 1000;

/** Old entries are forgotten beyond this many. */
const MAX_REMEMBERED = 10_000;

/** A session with a token to act with. */
export interface CheckedSession {
  uid: string;
  idToken: string;
  sessionId: string;
  /** The browser's `User-Agent`. */
  device: string;
}

const SOURCES = ["provider", "list"] as const;
type Source = (typeof SOURCES)[number];

/** Asks one source whether a session goes on. Rejects with what `isSessionOver` recognises, or when it cannot tell. */
type AskSource = (session: CheckedSession) => Promise<void>;

export interface Look {
  /** How many requests are made, that for a renewed token included. */
  requests: number;
  /** Whether the session is known to have ended. An answer that was not heard ends nothing. */
  isOver: Promise<boolean>;
}

/**
 * Knows for how long each session has been confirmed by the two that can end it: the provider ends all sessions of an
 * account, the person's own list a single one. Each isolate remembers what it has heard itself.
 */
export function createSessionChecks(ask: Record<Source, AskSource>, now: () => number) {
  const confirmedAt = new Map<string, number>();
  const ended = new Map<string, true>();

  function isKnownOver(session: CheckedSession): boolean {
    return SOURCES.some((source) => ended.has(toKey(source, session)));
  }

  async function askSource(source: Source, session: CheckedSession): Promise<void> {
    const askedAt = now();
    try {
      await ask[source](session);
      remember(confirmedAt, toKey(source, session), askedAt);
    } catch (error) {
      if (isSessionOver(error)) remember(ended, toKey(source, session), true);
      throw error;
    }
  }

  function findDue(session: CheckedSession): Source[] {
    const ages = SOURCES.map((source) => ({
      source,
      age: now() - (confirmedAt.get(toKey(source, session)) ?? getIssuedAt(source, session)),
    }));
    const tooOld = ages.filter(({ age }) => age >= MAX_AGE_MS);
    const [oldest] = ages.toSorted((a, b) => b.age - a.age).filter(({ age }) => age >= TURN_MS);
    const due = tooOld.length > 0 || !oldest ? tooOld : [oldest];
    return due.map(({ source }) => source);
  }

  return {
    /**
     * Asks for a page what has not been asked for a while.
     *
     * @param isRenewed the provider has just handed out the token
     * @param defer keeps a request going after the answer
     */
    look(
      session: CheckedSession,
      isRenewed: boolean,
      defer: ((promise: Promise<unknown>) => void) | null,
    ): Look {
      if (isKnownOver(session)) return { requests: 0, isOver: Promise.resolve(true) };
      const due = isRenewed ? (["list"] as const) : findDue(session);
      const answers = Promise.allSettled(due.map((source) => askSource(source, session)));
      defer?.(answers);
      const isOver = withTimeout(answers, PAGE_PATIENCE_MS).then(
        () => isKnownOver(session),
        () => isKnownOver(session),
      );
      return { requests: due.length + Number(isRenewed), isOver };
    },

    /**
     * Asks both anew, for whatever is more than a look.
     *
     * @throws {ProviderError} which `isSessionOver` recognises when either has ended the session, another one when
     *   either cannot tell
     */
    async demand(session: CheckedSession): Promise<void> {
      if (isKnownOver(session)) throw toProviderError("TOKEN_EXPIRED");
      const answers = await Promise.allSettled(SOURCES.map((source) => askSource(source, session)));
      if (isKnownOver(session)) throw toProviderError("TOKEN_EXPIRED");
      const failed = answers.find(({ status }) => status === "rejected");
      if (failed?.status === "rejected") throw failed.reason;
    },

    /** Remembers that a session was put on its list just now. */
    confirm(session: Pick<CheckedSession, "uid" | "sessionId">): void {
      remember(confirmedAt, toKey("list", { ...session, idToken: "" }), now());
    },

    /** Remembers that a session was signed out, whether its list has heard of it or not. */
    end(session: Pick<CheckedSession, "uid" | "sessionId">): void {
      remember(ended, toKey("list", { ...session, idToken: "" }), true);
    },
  };
}

/** The provider has confirmed a token when it handed it out, on whatever isolate that was. */
function getIssuedAt(source: Source, { idToken }: CheckedSession): number {
  return source === "provider" ? (decodeJwt(idToken).iat ?? 0) * 1000 : -Infinity;
}

function toKey(
  source: Source,
  { uid, idToken, sessionId }: Omit<CheckedSession, "device">,
): string {
  return source === "provider" ? `token ${idToken}` : `session ${uid}/${sessionId}`;
}

function remember<T>(known: Map<string, T>, key: string, value: T): void {
  known.delete(key);
  known.set(key, value);
  if (known.size <= MAX_REMEMBERED) return;
  const [oldest] = known.keys();
  if (oldest !== undefined) known.delete(oldest);
}

/** Turns the answer of a session list into what is asked of a source here. @throws {ProviderError} */
export function requireListed(state: "listed" | "ended" | "unknown"): void {
  if (state === "ended") throw toProviderError("TOKEN_EXPIRED");
  if (state === "unknown") throw new ProviderError("network-request-failed", undefined);
}
