import * as z from "zod";

const MAX_SESSIONS = 1_000;

const exportedAccountsSchema = z.looseObject({
  users: z.array(
    z.looseObject({
      localId: z.string(),
      email: z.string().optional(),
      providerUserInfo: z.array(z.looseObject({ providerId: z.string() })).default([]),
    }),
  ),
});

/** The fields with data that the Auth server does not export. */
const requestSchema = z.object({
  password: z.string().optional(),
  newPassword: z.string().optional(),
  refresh_token: z.string().optional(),
});
const responseSchema = z.object({
  localId: z.string().optional(),
  email: z.string().optional(),
  idToken: z.string().optional(),
  refreshToken: z.string().optional(),
  id_token: z.string().optional(),
  refresh_token: z.string().optional(),
  authEmulator: z.object({ email: z.string() }).optional(),
});
/** The claims of custom tokens, by which rules tell the sessions of pages apart. */
const customClaimsSchema = z.object({ session: z.string(), slot: z.string() }).partial();

const claimsSchema = customClaimsSchema.extend({
  sub: z.string(),
  auth_time: z.number(),
  firebase: z.object({ sign_in_provider: z.string() }),
});

const sessionSchema = z.object({
  localId: z.string(),
  /** When the user signed in, in seconds since the Unix epoch. */
  authTime: z.number().default(0),
  /** How the user signed in. */
  provider: z.string().default("password"),
  claims: customClaimsSchema.default({}),
});
export type Session = z.infer<typeof sessionSchema>;

/** The account of each refresh token. */
export const authSessionsSchema = z.record(z.string(), sessionSchema);
export type AuthSessions = z.infer<typeof authSessionsSchema>;

export interface RecordedExchange {
  request: unknown;
  response: unknown;
}

/**
 * Records what the Auth server's export leaves out: passwords set while it ran, and the account of each refresh token.
 * With these, users can sign in again after a restart, and signed-in users stay signed in.
 */
export class AuthRecorder {
  readonly #passwords: { localId?: string; email?: string; password: string }[] = [];
  readonly #sessions: Map<string, Session>;

  constructor(sessions: AuthSessions = {}) {
    this.#sessions = new Map(Object.entries(sessions));
  }

  /** Records a request that succeeded. */
  record({ request, response }: RecordedExchange): void {
    const input = requestSchema.safeParse(request).data ?? {};
    const output = responseSchema.safeParse(response).data ?? {};
    const { localId, email = output.authEmulator?.email } = output;

    const password = input.newPassword ?? input.password;
    if (password !== undefined && (localId ?? email) !== undefined) {
      this.#passwords.push({ localId, email, password });
    }

    const refreshToken = output.refreshToken ?? output.refresh_token;
    const claims = readClaims(output.idToken ?? output.id_token);
    if (refreshToken !== undefined && claims !== undefined) {
      this.#sessions.set(refreshToken, {
        localId: claims.sub,
        // fireemu sets a new time with every refresh.
        authTime: this.findSession(input.refresh_token ?? "")?.authTime ?? claims.auth_time,
        provider: claims.firebase.sign_in_provider,
        claims: customClaimsSchema.parse(claims),
      });
    }
  }

  /** Returns the account that a refresh token was issued to, in this run or an earlier one. */
  findSession(refreshToken: string): Session | undefined {
    return this.#sessions.get(refreshToken);
  }

  /** Returns the newest sessions, at most 1,000. */
  exportSessions(): AuthSessions {
    return Object.fromEntries([...this.#sessions].slice(-MAX_SESSIONS));
  }

  /**
   * Adds the passwords to an exported `accounts.json`, in the plain-text form that every Auth emulator reads. Removes control
   * characters from names and photos, because fireemu imports no account that has one.
   */
  completeAccounts(accountsJson: string): string {
    const accounts = exportedAccountsSchema.parse(
      JSON.parse(accountsJson, (_key, value: unknown) =>
        typeof value === "string" ? value.replaceAll(/\p{Cc}/gu, "") : value,
      ),
    );
    const users = accounts.users.map((user) => {
      const recorded = this.#passwords.findLast(
        ({ localId, email }) =>
          localId === user.localId || (localId === undefined && email === user.email),
      );
      // Signing in with Google removes the password of an account whose address was never verified.
      const hasPassword = user.providerUserInfo.some(({ providerId }) => providerId === "password");
      if (recorded === undefined || !hasPassword) return user;
      const salt = "fakeSalt";
      return { ...user, salt, passwordHash: `fakeHash:salt=${salt}:password=${recorded.password}` };
    });
    return JSON.stringify({ ...accounts, users }, null, 2);
  }
}

function readClaims(idToken: string | undefined) {
  const payload = idToken?.split(".")[1];
  if (payload === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    return claimsSchema.safeParse(json).data;
  } catch {
    return undefined; // Not a JWT.
  }
}
