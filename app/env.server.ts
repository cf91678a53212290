import { createPrivateKey } from "node:crypto";

import type { AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import "./load-context.ts";

const hostAndPort = z
  .string()
  .regex(/^(\[[\da-f:]+\]|[\w.-]+):\d{1,5}$/i, "expected host:port, such as 127.0.0.1:9099");

const MIN_SECRET_LENGTH = 32;
const secret = z
  .string()
  .min(MIN_SECRET_LENGTH, `expected at least ${MIN_SECRET_LENGTH} random characters`);

const PEM = /-----BEGIN PRIVATE KEY-----(.*?)(-----END PRIVATE KEY-----|$)/s;
const COPY_AGAIN = "Copy the private_key from the service account's JSON file again.";

/** Returns the options of a check that runs even if others fail, so that the error lists everything that is missing. */
function requireUnlessEmulated(name: string) {
  return { path: [name], error: "missing, and no emulator takes its place", when: () => true };
}

const envSchema = z
  .object({
    SESSION_SECRET: secret,
    /** The secret before the last rotation. Cookies encrypted with it are still accepted. */
    SESSION_SECRET_PREVIOUS: secret.optional(),

    /** The users' time zone on servers that don't run on Cloudflare. */
    TIME_ZONE: z.string().optional(),

    /** The address of the source code, for the footer. */
    SOURCE_URL: z.url({ protocol: /^https$/ }).optional(),

    /** `placeholder` reduces the reading page to the one line of the specification. */
    READER: z.enum(["placeholder", "full"]).default("full"),

    /**
     * `off`: pages are not cached, and share no list of stories; each request for /healthz makes a new check. For
     * tests, which write to Firebase directly.
     */
    PAGE_CACHE: z.enum(["on", "off"]).default("on"),

    FIREBASE_API_KEY: z.string().min(1),
    FIREBASE_PROJECT_ID: z.string().regex(/^[a-z][a-z\d-]+$/, "expected a Firebase project id"),
    FIREBASE_APP_ID: z.string().min(1).optional(),
    FIREBASE_MEASUREMENT_ID: z
      .string()
      .regex(/^G-[A-Z\d]+$/, "expected a measurement id, such as G-1A2B3C4D5E")
      .optional(),
    FIREBASE_DATABASE_URL: z.url().optional(),
    FIREBASE_CLIENT_EMAIL: z.email().optional(),
    FIREBASE_PRIVATE_KEY: z
      .string()
      .transform((key, issues) => {
        try {
          return readPrivateKey(key);
        } catch (error) {
          if (!(error instanceof PrivateKeyError)) throw error;
          issues.addIssue(error.message);
          return z.NEVER;
        }
      })
      .optional(),

    /** Without these two variables, users can't sign in with Google. */
    GOOGLE_CLIENT_ID: z
      .string()
      .endsWith(".apps.googleusercontent.com", "expected the id of an OAuth client of Google's")
      .optional(),
    GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),

    FIREBASE_AUTH_EMULATOR_HOST: hostAndPort.optional(),
    FIRESTORE_EMULATOR_HOST: hostAndPort.optional(),
    FIREBASE_DATABASE_EMULATOR_HOST: hostAndPort.optional(),
    /** Our emulator of Google's OAuth pages, not a Firebase variable. Only the Auth emulator accepts its tokens. */
    GOOGLE_EMULATOR_HOST: hostAndPort.optional(),
  })
  .refine(
    (env) => env.FIREBASE_DATABASE_EMULATOR_HOST ?? env.FIREBASE_DATABASE_URL,
    requireUnlessEmulated("FIREBASE_DATABASE_URL"),
  )
  .refine(
    (env) => env.FIREBASE_AUTH_EMULATOR_HOST ?? env.FIREBASE_CLIENT_EMAIL,
    requireUnlessEmulated("FIREBASE_CLIENT_EMAIL"),
  )
  .refine(
    (env) => env.FIREBASE_AUTH_EMULATOR_HOST ?? env.FIREBASE_PRIVATE_KEY,
    requireUnlessEmulated("FIREBASE_PRIVATE_KEY"),
  )
  .refine((env) => !env.FIREBASE_MEASUREMENT_ID || env.FIREBASE_APP_ID, {
    path: ["FIREBASE_APP_ID"],
    error: "missing, and FIREBASE_MEASUREMENT_ID needs it",
    when: () => true,
  })
  .refine((env) => !env.GOOGLE_CLIENT_ID || env.GOOGLE_CLIENT_SECRET, {
    path: ["GOOGLE_CLIENT_SECRET"],
    error: "missing, and GOOGLE_CLIENT_ID needs it",
    when: () => true,
  })
  .refine((env) => !env.GOOGLE_CLIENT_SECRET || env.GOOGLE_CLIENT_ID, {
    path: ["GOOGLE_CLIENT_ID"],
    error: "missing, and GOOGLE_CLIENT_SECRET needs it",
    when: () => true,
  })
  .refine((env) => !env.GOOGLE_EMULATOR_HOST || env.FIREBASE_AUTH_EMULATOR_HOST, {
    path: ["GOOGLE_EMULATOR_HOST"],
    error: "only allowed together with FIREBASE_AUTH_EMULATOR_HOST, never in production",
    when: () => true,
  });

export type Env = z.infer<typeof envSchema>;

/** Variables are missing or malformed. The message lists all of them. */
export class EnvironmentError extends Error {
  override name = "EnvironmentError";
  /** The names of these variables. */
  readonly variables: readonly string[];

  constructor(message: string, variables: readonly string[]) {
    super(message);
    this.variables = variables;
  }
}

/**
 * Validates the Pages bindings. An empty variable counts as missing.
 *
 * @throws {EnvironmentError}
 */
export function readEnv(bindings: object): Env {
  const result = envSchema.safeParse(
    Object.fromEntries(Object.entries(bindings).filter(([, value]) => value !== "")),
  );
  if (result.success) return result.data;
  throw new EnvironmentError(
    `The environment is incomplete. .dev.vars.example explains each variable.\n${z.prettifyError(result.error)}`,
    [...new Set(result.error.issues.map(({ path }) => String(path[0])))],
  );
}

/** Returns the part of the environment that is public. */
export function getFirebaseConfig(env: Env) {
  return {
    apiKey: env.FIREBASE_API_KEY,
    projectId: env.FIREBASE_PROJECT_ID,
    appId: env.FIREBASE_APP_ID,
    measurementId: env.FIREBASE_MEASUREMENT_ID,
    databaseURL: env.FIREBASE_DATABASE_URL,
    emulators: {
      auth: env.FIREBASE_AUTH_EMULATOR_HOST,
      firestore: env.FIRESTORE_EMULATOR_HOST,
      database: env.FIREBASE_DATABASE_EMULATOR_HOST,
    },
  };
}

const envs = new WeakMap<object, Env | EnvironmentError>();

/**
 * Returns the environment. Validates it once.
 *
 * @throws {EnvironmentError} when variables are missing or malformed
 */
export function getEnv(context: AppLoadContext): Env {
  const bindings = context.cloudflare.env;
  const env = envs.get(bindings) ?? tryEnv(bindings);
  envs.set(bindings, env);
  if (env instanceof EnvironmentError) throw env;
  return env;
}

/**
 * Returns a getter that creates the service on the first call, once per environment.
 *
 * @throws {EnvironmentError} from the getter, when variables are missing or malformed
 */
export function createServiceGetter<T>(create: (env: Env, context: AppLoadContext) => T) {
  const services = new WeakMap<object, { service: T }>();
  return (context: AppLoadContext): T => {
    const bindings = context.cloudflare.env;
    const entry = services.get(bindings) ?? { service: create(getEnv(context), context) };
    services.set(bindings, entry);
    return entry.service;
  };
}

function tryEnv(bindings: object): Env | EnvironmentError {
  try {
    return readEnv(bindings);
  } catch (error) {
    if (error instanceof EnvironmentError) return error;
    throw error;
  }
}

/** A private key cannot be used. The message says why, without any part of the key. */
class PrivateKeyError extends Error {
  override name = "PrivateKeyError";
}

/**
 * Parses the private key of a service account and returns it as PEM. Consoles, shells and `.env` files may have quoted
 * or indented it, or escaped its line breaks. To check that it can sign, it is imported with `node:crypto`, because Web
 * Crypto has no synchronous import and the environment is read synchronously.
 *
 * @throws {PrivateKeyError} when the key has no beginning, has no end, is damaged or is not an RSA key
 */
function readPrivateKey(text: string): string {
  const [, body, end] = PEM.exec(text) ?? [];
  if (body === undefined) {
    throw new PrivateKeyError(
      "Expected the private_key of a service account, which begins with -----BEGIN PRIVATE KEY-----.",
    );
  }
  if (!end) {
    throw new PrivateKeyError(`It is cut off: -----END PRIVATE KEY----- is missing. ${COPY_AGAIN}`);
  }
  const base64 = body
    // Some JSON encoders escape "=" like this.
    .replaceAll(/\\+u003d/gi, "=")
    .replaceAll(/\\+[nr]|[\s"'\\]/g, "");
  const lines = base64.match(/.{1,64}/g) ?? [];
  const pem = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
  if (findKeyType(pem) !== "rsa") {
    throw new PrivateKeyError("Expected an RSA key, as in a service account's JSON file.");
  }
  return pem;
}

function findKeyType(pem: string): string | undefined {
  try {
    return createPrivateKey(pem).asymmetricKeyType;
  } catch {
    // The platform's own error may contain part of the key.
    throw new PrivateKeyError(`It is cut off or damaged. ${COPY_AGAIN}`);
  }
}
