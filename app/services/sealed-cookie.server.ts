import { parse, serialize } from "cookie";
import { EncryptJWT, errors, jwtDecrypt } from "jose";

import type { Env } from "./env.server.ts";

/** Browsers drop larger cookies without a word. @see https://datatracker.ietf.org/doc/html/rfc6265#section-6.1 */
const MAX_COOKIE_BYTES = 4096;

export interface SealedCookie {
  /** Whether the browser sent the cookie at all, readable or not. */
  isPresent(request: Request): boolean;
  /** Returns the sealed value, or `undefined` when the cookie is absent, expired, forged or sealed for another purpose. */
  open(request: Request): Promise<unknown>;
  /** Returns the `Set-Cookie` value that keeps `value`. @throws {RangeError} when it would not fit in a cookie. */
  seal(request: Request, value: object): Promise<string>;
  /** Returns the `Set-Cookie` value that removes the cookie. */
  remove(request: Request): string;
}

/**
 * Keeps a value in a cookie that the browser can neither read nor change: an encrypted JWT, `dir` with
 * `A256GCM`. The cookie's name is sealed in as the audience, so that one kind is never taken for another.
 *
 * @see https://datatracker.ietf.org/doc/html/rfc7516
 */
export function createSealedCookie(
  env: Pick<Env, "SESSION_SECRET" | "SESSION_SECRET_PREVIOUS">,
  name: string,
  {
    maxAgeSeconds,
    path = "/",
    now,
  }: {
    maxAgeSeconds: number;
    /** The addresses it is for. @default "/" */
    path?: string;
    now: () => number;
  },
): SealedCookie {
  const newest = deriveKey(env.SESSION_SECRET);
  const keys = [
    newest,
    ...(env.SESSION_SECRET_PREVIOUS ? [deriveKey(env.SESSION_SECRET_PREVIOUS)] : []),
  ];

  function read(request: Request): string | undefined {
    return parse(request.headers.get("Cookie") ?? "")[name];
  }

  function write(request: Request, value: string, maxAge: number): string {
    const secure = new URL(request.url).protocol === "https:";
    return serialize(name, value, { httpOnly: true, maxAge, path, sameSite: "lax", secure });
  }

  return {
    isPresent: (request) => read(request) !== undefined,

    async open(request) {
      const token = read(request);
      if (!token) return undefined;
      for (const key of keys) {
        try {
          const { payload } = await jwtDecrypt(token, await key, {
            audience: name,
            currentDate: new Date(now()),
            keyManagementAlgorithms: ["dir"],
            contentEncryptionAlgorithms: ["A256GCM"],
          });
          return payload.value;
        } catch (error) {
          if (!(error instanceof errors.JOSEError)) throw error;
        }
      }
      return undefined;
    },

    async seal(request, value) {
      const issuedAt = Math.floor(now() / 1000);
      const token = await new EncryptJWT({ value })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setAudience(name)
        .setExpirationTime(issuedAt + maxAgeSeconds)
        .encrypt(await newest);
      const cookie = write(request, token, maxAgeSeconds);
      if (cookie.length > MAX_COOKIE_BYTES) {
        throw new RangeError(
          `The cookie ${name} takes ${cookie.length} bytes; browsers keep ${MAX_COOKIE_BYTES}.`,
        );
      }
      return cookie;
    },

    remove: (request) => write(request, "", 0),
  };
}

async function deriveKey(secret: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret)));
}
