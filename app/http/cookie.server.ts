import { parse, serialize } from "cookie";
import { EncryptJWT, errors, jwtDecrypt, type JWTPayload } from "jose";

import type { Env } from "#app/env.server.ts";
import { toCookieName } from "./cookie.ts";
import { hash } from "./hash.server.ts";

/** Browsers silently drop larger cookies. @see https://datatracker.ietf.org/doc/html/rfc6265#section-6.1 */
const MAX_COOKIE_BYTES = 4096;

export interface Cookie {
  /** Returns the value, or `undefined` without the cookie. */
  read(request: Request): string | undefined;
  /** Returns the `Set-Cookie` value that stores `value`. */
  write(request: Request, value: string): string;
  /** Returns the `Set-Cookie` value that removes the cookie. */
  remove(request: Request): string;
}

export interface CookieOptions {
  maxAgeSeconds: number;
  /** Whether scripts can read the cookie. If so, it is not `HttpOnly`. @default false */
  isForScripts?: boolean;
}

/**
 * Creates a cookie. On https it is `Secure` and has the prefix `__Host-`; on http, which is local, it has its plain name.
 */
export function createCookie(
  name: string,
  { maxAgeSeconds, isForScripts = false }: CookieOptions,
): Cookie {
  function write(request: Request, value: string, maxAge: number): string {
    const protocol = getProtocol(request);
    return serialize(toCookieName(name, protocol), value, {
      httpOnly: !isForScripts,
      maxAge,
      path: "/",
      sameSite: "lax",
      secure: protocol === "https:",
    });
  }

  return {
    read(request) {
      const cookies = parse(request.headers.get("Cookie") ?? "");
      return cookies[toCookieName(name, getProtocol(request))];
    },
    write: (request, value) => write(request, value, maxAgeSeconds),
    remove: (request) => write(request, "", 0),
  };
}

export interface SealedCookie {
  /** Whether the browser sent the cookie, readable or not. */
  isPresent(request: Request): boolean;
  /** Returns the sealed value, or `undefined` when the cookie is missing, expired, forged or sealed for another purpose. */
  open(request: Request): Promise<unknown>;
  /** Returns the `Set-Cookie` value that stores `value`. @throws {RangeError} when the cookie would be too long */
  seal(request: Request, value: object): Promise<string>;
  /** Returns the `Set-Cookie` value that removes the cookie. */
  remove(request: Request): string;
}

/**
 * Creates a cookie that the browser can neither read nor change: an encrypted JWT, `dir` with `A256GCM`. Its audience is
 * the cookie's name, so that one cookie cannot be used as another.
 *
 * @see https://datatracker.ietf.org/doc/html/rfc7516
 */
export function createSealedCookie(
  env: Pick<Env, "SESSION_SECRET" | "SESSION_SECRET_PREVIOUS">,
  name: string,
  {
    maxAgeSeconds,
    now,
  }: {
    maxAgeSeconds: number;
    now: () => number;
  },
): SealedCookie {
  const newest = hash(env.SESSION_SECRET);
  const keys = [
    newest,
    ...(env.SESSION_SECRET_PREVIOUS ? [hash(env.SESSION_SECRET_PREVIOUS)] : []),
  ];

  const cookie = createCookie(name, { maxAgeSeconds });

  async function decrypt(token: string): Promise<JWTPayload | undefined> {
    for (const key of keys) {
      try {
        const { payload } = await jwtDecrypt(token, await key, {
          audience: name,
          currentDate: new Date(now()),
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
        });
        return payload;
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
      }
    }
    return undefined;
  }

  return {
    isPresent: (request) => cookie.read(request) !== undefined,

    async open(request) {
      const token = cookie.read(request);
      return token === undefined ? undefined : (await decrypt(token))?.value;
    },

    async seal(request, value) {
      const issuedAt = Math.floor(now() / 1000);
      const token = await new EncryptJWT({ value })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setAudience(name)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + maxAgeSeconds)
        .encrypt(await newest);
      const header = cookie.write(request, token);
      if (header.length > MAX_COOKIE_BYTES) {
        throw new RangeError(
          `The cookie ${name} takes ${header.length} bytes; browsers keep ${MAX_COOKIE_BYTES}.`,
        );
      }
      return header;
    },

    remove: (request) => cookie.remove(request),
  };
}

function getProtocol({ url }: Request): string {
  return new URL(url).protocol;
}
