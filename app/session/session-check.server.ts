import { decodeJwt } from "jose";

import { AuthError, toAuthError } from "#app/firebase/auth-error.server.ts";
import { createCache } from "#app/http/cache.server.ts";
import { withoutTimeLimit } from "#app/http/outgoing-calls.server.ts";
import { resolveWithin } from "#app/http/wait.ts";
import { isSessionEndedError } from "./session.server.ts";

/** The age at which a source is asked again. A page asks only the source with the older response. */
const RECHECK_AFTER_MS = 25_000;

/**
 * Older responses are not used. So even with the time that a page takes, an ended session is shown for less than a
 * minute.
 */
const MAX_AGE_MS = 50_000;

/** How long a page waits for the sources. A late response is used for the next page. */
const PAGE_TIMEOUT_MS = 1000;

/** Limits the memory. The oldest entries are deleted first. */
const MAX_ENTRIES = 10_000;

/** A session whose ID token is still valid. */
export interface CheckedSession {
  uid: string;
  idToken: string;
  sessionId: string;
  /** The browser's `User-Agent`. */
  device: string;
}

const SOURCES = ["provider", "registry"] as const;
type Source = (typeof SOURCES)[number];

/**
 * Checks a session at one source. Rejects when the session has ended, with an error that `isSessionEndedError` recognizes,
 * and when the source does not respond.
 */
type CheckSource = (session: CheckedSession) => Promise<void>;

export interface CheckResult {
  /** `false` when the sources do not respond in time. */
  hasEnded: boolean;
  /** Whether both sources have just confirmed the session, for an action. */
  isConfirmed: boolean;
}

interface PageCheck {
  /** How many requests the check makes, including the one that has just renewed the token. */
  requests: number;
  result: Promise<CheckResult>;
}

const ENDED: CheckResult = { hasEnded: true, isConfirmed: false };

/**
 * Checks sessions at the two sources that can end them: the provider ends all sessions of an account, the registry a
 * single session. Each isolate caches its own responses.
 */
export function createSessionChecks(sources: Record<Source, CheckSource>, now: () => number) {
  const confirmedAt = createCache<number>(Infinity, now, MAX_ENTRIES);
  const ended = createCache<true>(Infinity, now, MAX_ENTRIES);

  function isMarkedEnded(session: CheckedSession): boolean {
    return SOURCES.some((source) => ended.find(toKey(source, session)));
  }

  async function checkSource(source: Source, session: CheckedSession): Promise<void> {
    const startedAt = now();
    try {
      await sources[source](session);
      confirmedAt.set(toKey(source, session), startedAt);
    } catch (error) {
      if (isSessionEndedError(error)) ended.set(toKey(source, session), true);
      throw error;
    }
  }

  function getDueSources(session: CheckedSession): Source[] {
    const ages = SOURCES.map((source) => ({
      source,
      age: now() - (confirmedAt.find(toKey(source, session)) ?? getIssuedAt(source, session)),
    }));
    const tooOld = ages.filter(({ age }) => age >= MAX_AGE_MS);
    const [oldest] = ages
      .toSorted((a, b) => b.age - a.age)
      .filter(({ age }) => age >= RECHECK_AFTER_MS);
    const due = tooOld.length > 0 || !oldest ? tooOld : [oldest];
    return due.map(({ source }) => source);
  }

  return {
    /**
     * Checks the provider and the registry in turn, to save one request per page.
     *
     * @param isRenewed whether the provider has just issued the token
     * @param defer runs a promise after the response
     */
    checkForPage(
      session: CheckedSession,
      isRenewed: boolean,
      defer: ((promise: Promise<unknown>) => void) | null,
    ): PageCheck {
      if (isMarkedEnded(session)) return { requests: 0, result: Promise.resolve(ENDED) };
      const dueSources = isRenewed ? (["registry"] as const) : getDueSources(session);
      const results = withoutTimeLimit(() =>
        Promise.allSettled(dueSources.map((source) => checkSource(source, session))),
      );
      defer?.(results);
      const result = resolveWithin(results, PAGE_TIMEOUT_MS).then(() => ({
        hasEnded: isMarkedEnded(session),
        isConfirmed: false,
      }));
      return { requests: dueSources.length + Number(isRenewed), result };
    },

    /** Checks both sources without the cache, for actions. */
    async checkForAction(session: CheckedSession): Promise<CheckResult> {
      if (isMarkedEnded(session)) return ENDED;
      const results = await Promise.allSettled(
        SOURCES.map((source) => checkSource(source, session)),
      );
      if (isMarkedEnded(session)) return ENDED;
      const isConfirmed = results.every(({ status }) => status === "fulfilled");
      return { hasEnded: false, isConfirmed };
    },

    /** Records that the session has just been added to the registry. */
    markListed(session: Pick<CheckedSession, "uid" | "sessionId">): void {
      confirmedAt.set(toKey("registry", { ...session, idToken: "" }), now());
    },

    /** Records that the session was signed out, even when the registry could not be reached. */
    markEnded(session: Pick<CheckedSession, "uid" | "sessionId">): void {
      ended.set(toKey("registry", { ...session, idToken: "" }), true);
    },
  };
}

/** Returns when a source confirmed the session by issuing its token, perhaps to another isolate. */
function getIssuedAt(source: Source, { idToken }: CheckedSession): number {
  return source === "provider" ? (decodeJwt(idToken).iat ?? 0) * 1000 : -Infinity;
}

function toKey(
  source: Source,
  { uid, idToken, sessionId }: Omit<CheckedSession, "device">,
): string {
  return source === "provider" ? `token ${idToken}` : `session ${uid}/${sessionId}`;
}

/** @throws {AuthError} if the registry has not confirmed the session: the error that a `CheckSource` rejects with */
export function assertListed(state: "listed" | "ended" | "unavailable"): void {
  if (state === "ended") throw toAuthError("TOKEN_EXPIRED");
  if (state === "unavailable") throw new AuthError("network-request-failed", undefined);
}
