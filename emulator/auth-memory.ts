import * as z from "zod";

const MAX_SESSIONS = 1_000;

const exportedAccounts = z.looseObject({
  users: z.array(
    z.looseObject({
      localId: z.string(),
      email: z.string().optional(),
      providerUserInfo: z.array(z.looseObject({ providerId: z.string() })).default([]),
    }),
  ),
});

/** The members of requests and answers that say what the Auth server will not tell again. */
const requestSchema = z.object({
  password: z.string().optional(),
  newPassword: z.string().optional(),
});
const answerSchema = z.object({
  localId: z.string().optional(),
  email: z.string().optional(),
  idToken: z.string().optional(),
  refreshToken: z.string().optional(),
  id_token: z.string().optional(),
  refresh_token: z.string().optional(),
  authEmulator: z.object({ email: z.string() }).optional(),
});
/** Requests that change a password, the link in a mail about a forgotten one among them. */
const PASSWORD_CHANGE_PATH = /:update$|:resetPassword$|^\/emulator\/action$/;

const claimsSchema = z.object({ sub: z.string(), email: z.string().optional() });

const sessionSchema = z.object({ localId: z.string(), email: z.string().optional() });
type Session = z.infer<typeof sessionSchema>;

/** Who each refresh token belongs to. */
export const authSessionsSchema = z.record(z.string(), sessionSchema);
export type AuthSessions = z.infer<typeof authSessionsSchema>;

export interface AuthExchange {
  path: string;
  request: unknown;
  answer: unknown;
}

/**
 * Remembers what the Auth server's export leaves out, so that people can sign in again after a restart and those signed
 * in stay so: passwords set while it ran, and whom refresh tokens belong to.
 */
export class AuthMemory {
  readonly #passwords: { localId?: string; email?: string; password: string }[] = [];
  readonly #sessions: Map<string, Session>;

  constructor(sessions: AuthSessions = {}) {
    this.#sessions = new Map(Object.entries(sessions));
  }

  /** Learns from a request the Auth server granted. */
  observe({ path, request, answer }: AuthExchange): void {
    const asked = requestSchema.safeParse(request).data ?? {};
    const answered = answerSchema.safeParse(answer).data ?? {};
    const { localId, email = answered.authEmulator?.email } = answered;

    const password = asked.newPassword ?? asked.password;
    if (password !== undefined && (localId ?? email) !== undefined) {
      this.#passwords.push({ localId, email, password });
      // As in production, a new password ends all sessions.
      if (PASSWORD_CHANGE_PATH.test(path)) this.#forgetSessions(localId, email);
    }

    const refreshToken = answered.refreshToken ?? answered.refresh_token;
    const claims = readClaims(answered.idToken ?? answered.id_token);
    if (refreshToken !== undefined && claims !== undefined) {
      this.#sessions.set(refreshToken, { localId: claims.sub, email: claims.email });
    }
  }

  /** Returns whom a refresh token was given to, in this run or an earlier one. */
  findSession(refreshToken: string): Session | undefined {
    return this.#sessions.get(refreshToken);
  }

  exportSessions(): AuthSessions {
    return Object.fromEntries([...this.#sessions].slice(-MAX_SESSIONS));
  }

  /** Adds the passwords to an exported `accounts.json`, in the readable form all Auth emulators use. */
  addPasswords(accountsJson: string): string {
    const accounts = exportedAccounts.parse(JSON.parse(accountsJson));
    const users = accounts.users.map((user) => {
      const known = this.#passwords.findLast(
        ({ localId, email }) =>
          localId === user.localId || (localId === undefined && email === user.email),
      );
      // Whoever comes by Google takes over an address that nobody had confirmed, and its password ends.
      const hasPassword = user.providerUserInfo.some(({ providerId }) => providerId === "password");
      if (known === undefined || !hasPassword) return user;
      const salt = "fakeSalt";
      return { ...user, salt, passwordHash: `fakeHash:salt=${salt}:password=${known.password}` };
    });
    return JSON.stringify({ ...accounts, users }, null, 2);
  }

  #forgetSessions(localId: string | undefined, email: string | undefined): void {
    for (const [token, session] of this.#sessions) {
      const isTheirs =
        session.localId === localId || (email !== undefined && session.email === email);
      if (isTheirs) this.#sessions.delete(token);
    }
  }
}

function readClaims(idToken: string | undefined) {
  const payload = idToken?.split(".")[1];
  if (payload === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    return claimsSchema.safeParse(json).data;
  } catch {
    return undefined; // Not a token of ours.
  }
}
