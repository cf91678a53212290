import { readFile } from "node:fs/promises";

import { importPKCS8, SignJWT } from "jose";
import * as z from "zod";

import { readFirebaseJson } from "#emulator/firebase-json.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { LOOPBACK } from "#emulator/ports.ts";
import { findRunning } from "#emulator/running.ts";

const TIMEOUT_MS = 15_000;
/** Where the service account gets its token, and the API that it is for. Tests replace them. */
const GOOGLE = {
  tokenUrl: "https://oauth2.googleapis.com/token",
  identityUrl: "https://identitytoolkit.googleapis.com",
};
const SCOPE = "https://www.googleapis.com/auth/identitytoolkit";
/** How many accounts are listed at a time: the most that Firebase allows. */
const PAGE_SIZE = 1000;

const START = "`npm start` starts it; if it prints another port, set FIREBASE_AUTH_EMULATOR_HOST.";
const PROJECT = "For your Firebase project, set GOOGLE_APPLICATION_CREDENTIALS: docs/operate.md.";

/** What prevents a command, in words for the terminal. */
export class OperatorsError extends Error {
  override name = "OperatorsError";
}

/** An account's custom claims, as JSON. */
const claimsSchema = z.string().transform(parseJson).pipe(z.record(z.string(), z.unknown()));

const accountSchema = z.object({
  localId: z.string(),
  email: z.string().default("(no address)"),
  emailVerified: z.boolean().default(false),
  customAttributes: claimsSchema.default({}),
});
const foundSchema = z.object({ users: z.array(accountSchema).default([]) });
const pageSchema = foundSchema.extend({ nextPageToken: z.string().optional() });
const errorSchema = z.object({ error: z.object({ message: z.string() }) });
const tokenSchema = z.object({ access_token: z.string() });
const keySchema = z.object({
  project_id: z.string(),
  client_email: z.string(),
  private_key: z.string(),
});

/** A project's Firebase Authentication, as an administrator. */
interface Authentication {
  /** Such as "the local Firebase". */
  name: string;
  isLocal: boolean;
  /** The URL of the project's methods. */
  url: string;
  token: string;
  /** What to do if it does not respond. */
  advice: string;
}

/**
 * Runs a command on the accounts of a Firebase project: the one of the service account's key in
 * `GOOGLE_APPLICATION_CREDENTIALS`, or else the local one. Returns what to print.
 *
 * @param args `add` or `remove` with an e-mail address, or `list`
 * @throws {OperatorsError}
 */
export async function runOperators(
  args: readonly string[],
  shell: Record<string, string | undefined>,
  google = GOOGLE,
): Promise<string> {
  const [command, email, ...rest] = args;
  const isChange = command === "add" || command === "remove";
  if (rest.length > 0 || !(isChange ? email : command === "list" && email === undefined)) {
    throw new OperatorsError(
      "Usage: npm run operator -- add ana@example.com | remove ana@example.com | list",
    );
  }
  const { GOOGLE_APPLICATION_CREDENTIALS: keyFile, FIREBASE_AUTH_EMULATOR_HOST: host } = shell;
  const firebase = keyFile && !host ? await openProject(keyFile, google) : await openLocal(host);
  return isChange && email ? change(firebase, command, email) : list(firebase);
}

async function openLocal(namedHost: string | undefined): Promise<Authentication> {
  const { ports } = await readFirebaseJson("firebase.json");
  const running = await findRunning(".");
  const host = namedHost || running?.FIREBASE_AUTH_EMULATOR_HOST || `${LOOPBACK}:${ports.auth}`;
  return {
    name: "the local Firebase",
    isLocal: true,
    url: `http://${host}/identitytoolkit.googleapis.com/v1/projects/${LOCAL_PROJECT_ID}`,
    // Its servers take this token for an administrator's.
    token: "owner",
    advice: `No local Firebase responds at ${host}. ${START} ${PROJECT}`,
  };
}

/** @see https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests */
async function openProject(
  keyFile: string,
  { tokenUrl, identityUrl }: typeof GOOGLE,
): Promise<Authentication> {
  const text = await readFile(keyFile, "utf8").catch(() => {
    throw new OperatorsError(`${keyFile} can't be read. ${PROJECT}`);
  });
  const key = keySchema.safeParse(parseJson(text)).data;
  const privateKey = key && (await importPKCS8(key.private_key, "RS256").catch(() => null));
  if (!privateKey) {
    throw new OperatorsError(`${keyFile} is not a service account's key. ${PROJECT}`);
  }
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(key.client_email)
    .setAudience(GOOGLE.tokenUrl)
    .setIssuedAt()
    .setExpirationTime("5 minutes")
    .sign(privateKey);
  const body = new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    assertion,
  });
  const advice = "Google doesn't respond to this machine.";
  const { access_token: token } = await fetchJson(tokenUrl, { method: "POST", body }, tokenSchema, {
    advice,
    rejected: `Google does not accept the key in ${keyFile}. Is it deleted, or the clock wrong?`,
  });
  return {
    name: key.project_id,
    isLocal: false,
    url: `${identityUrl}/v1/projects/${key.project_id}`,
    token,
    advice,
  };
}

async function change(
  firebase: Authentication,
  command: "add" | "remove",
  email: string,
): Promise<string> {
  const { users } = await call(firebase, "accounts:lookup", foundSchema, { email: [email] });
  const [account] = users;
  if (!account) {
    throw new OperatorsError(`${firebase.name} has no account with the address ${email}.`);
  }
  const isOperator = account.customAttributes.operator === true;
  if (isOperator === (command === "add")) {
    return `${email} ${isOperator ? "is already" : "isn't"} an operator of ${firebase.name}.`;
  }
  // Anyone can register with an address that is not theirs.
  if (command === "add" && !account.emailVerified && !firebase.isLocal) {
    throw new OperatorsError(
      `${email} is not confirmed, so the account may be somebody else's. Its owner can confirm it: Profile → Security.`,
    );
  }
  const { operator: _, ...others } = account.customAttributes;
  const claims = command === "add" ? { ...others, operator: true } : others;
  await call(firebase, "accounts:update", z.object({}), {
    localId: account.localId,
    customAttributes: JSON.stringify(claims),
  });
  return command === "add"
    ? `${email} is now an operator of ${firebase.name}. It takes effect within the hour, or when they sign in again: Profile → Reports.`
    : `${email} is no longer an operator of ${firebase.name}. It takes effect within the hour.`;
}

async function list(firebase: Authentication): Promise<string> {
  const emails: string[] = [];
  let pageToken: string | undefined;
  do {
    const query = new URLSearchParams({
      maxResults: String(PAGE_SIZE),
      ...(pageToken && { nextPageToken: pageToken }),
    });
    const page = await call(firebase, `accounts:batchGet?${query}`, pageSchema);
    const operators = page.users.filter(
      ({ customAttributes }) => customAttributes.operator === true,
    );
    emails.push(...operators.map(({ email }) => email));
    pageToken = page.nextPageToken || undefined;
  } while (pageToken !== undefined);
  if (emails.length === 0) return `${firebase.name} has no operators.`;
  return [`Operators of ${firebase.name}:`, ...emails.toSorted()].join("\n");
}

/** Calls a method of the project, with a body by POST. */
async function call<T>(
  { url, token, advice }: Authentication,
  method: string,
  schema: z.ZodType<T>,
  body?: object,
): Promise<T> {
  const init = {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  };
  const rejected = "The service account needs the role Firebase Authentication Admin.";
  return fetchJson(`${url}/${method}`, init, schema, { advice, rejected });
}

async function fetchJson<T>(
  url: string,
  init: RequestInit,
  schema: z.ZodType<T>,
  { advice, rejected }: { advice: string; rejected: string },
): Promise<T> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const [response, text] = await fetch(url, { ...init, signal })
    .then(async (response) => [response, await response.text()] as const)
    .catch(() => {
      throw new OperatorsError(advice);
    });
  const json = parseJson(text);
  if (response.ok) {
    const { data } = schema.safeParse(json);
    if (data === undefined) {
      throw new OperatorsError(`${new URL(url).host} has sent what this command can't read.`);
    }
    return data;
  }
  const message = errorSchema.safeParse(json).data?.error.message ?? "";
  throw new OperatorsError(
    `${response.status} ${message}`.trim() + `. ${response.status < 500 ? rejected : advice}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
