import type { AppLoadContext } from "@remix-run/cloudflare";

import { startFirebase, type TestAccount, type TestFirebase } from "./firebase.ts";

interface HandlerArgs {
  request: Request;
  params: Record<string, string>;
  context: AppLoadContext;
}

export type Handler = (args: HandlerArgs) => unknown;

/** The response of a loader or action, returned or thrown. */
export interface Outcome {
  status: number;
  headers: Headers;
  data?: unknown;
}

export interface SendOptions {
  /** Sent as a form; without one the request is a GET. */
  form?: Record<string, string>;
  /** A `Cookie` header, as `signIn` returns it. */
  cookie?: string;
  headers?: Record<string, string>;
  params?: Record<string, string>;
  /** Sent instead of a form. */
  body?: BodyInit;
}

/**
 * Prepares to call the app's routes, with a new local Firebase unless another is given. Dispose of it at the end of the
 * test.
 */
export async function startApp(
  variables: Record<string, string> = {},
  starting: Promise<TestFirebase> = startFirebase(),
) {
  const firebase = await starting;
  return createApp(firebase, {
    SESSION_SECRET: "a secret that is at least 32 characters",
    FIREBASE_API_KEY: firebase.apiKey,
    FIREBASE_PROJECT_ID: firebase.projectId,
    ...firebase.hosts,
    ...variables,
  });
}

function createApp<Env extends object>(firebase: TestFirebase, env: Env) {
  const deferred: Promise<unknown>[] = [];
  return {
    firebase,
    env,
    /** Returns the same app with other variables, for example with an unavailable database. */
    withVariables: (variables: Record<string, string>) =>
      createApp(firebase, { ...env, ...variables }),
    /** Returns the same app with bindings that are not variables. */
    withBindings: (bindings: object) => createApp(firebase, { ...env, ...bindings }),
    /** Returns the load context of one request. */
    contextFor: (request: Request): AppLoadContext => ({
      cloudflare: { env, request, ctx: { waitUntil: (promise) => void deferred.push(promise) } },
    }),
    /** Resolves when all promises passed to `waitUntil` are settled. */
    finish: async () => void (await Promise.all(deferred.splice(0))),

    /** Calls a loader or action with a form, or with a GET request. */
    async send(handler: Handler, path: string, options: SendOptions = {}): Promise<Outcome> {
      const request = toRequest(path, options);
      const context = this.contextFor(request);
      try {
        return toOutcome(await handler({ request, params: options.params ?? {}, context }));
      } catch (thrown) {
        if (thrown instanceof Response || isDataWithInit(thrown)) return toOutcome(thrown);
        throw thrown;
      }
    },

    /** Calls the action with a form, and then the loader for the page, as the server does without JavaScript. */
    async sendForPage(
      { action, loader }: { action: Handler; loader: Handler },
      path: string,
      options: SendOptions,
    ): Promise<{ action: Outcome; loader: Outcome }> {
      const posted = toRequest(path, options);
      const context = this.contextFor(posted);
      const response = toOutcome(await action({ request: posted, params: {}, context }));
      const request = new Request(posted.url, { headers: posted.headers });
      return {
        action: response,
        loader: toOutcome(await loader({ request, params: {}, context })),
      };
    },

    async [Symbol.asyncDispose]() {
      await this.finish();
      await firebase[Symbol.asyncDispose]();
    },
  };
}

export type TestApp = Awaited<ReturnType<typeof startApp>>;

/** Signs in with the form, and returns the `Cookie` header. */
export async function signIn(app: TestApp, { email, password }: TestAccount): Promise<string> {
  const { action } = await import("#app/routes/login.tsx");
  const { headers } = await app.send(action, "/login", { form: { email, password } });
  return toCookieHeader(headers);
}

/** Returns the JSON body of a response. */
export function readJson(outcome: Outcome): Promise<unknown> {
  if (!(outcome instanceof Response)) throw new TypeError("Expected a response");
  return outcome.json();
}

/** Returns the `Cookie` header that a browser would send after these response headers. */
export function toCookieHeader(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

function toRequest(path: string, { form, cookie, headers, body }: SendOptions): Request {
  const init = form ? { method: "POST", body: new URLSearchParams(form) } : {};
  return new Request(new URL(path, "http://localhost"), {
    ...init,
    ...(body !== undefined && { method: "POST", body, duplex: "half" }),
    headers: { ...headers, ...(cookie && { Cookie: cookie }) },
  });
}

/** Routes return a `Response`, `data(value, init)` or a plain value. */
function toOutcome(response: unknown): Outcome {
  if (response instanceof Response) return response;
  if (!isDataWithInit(response)) return { status: 200, headers: new Headers(), data: response };

  const { data, init } = response;
  return { status: init?.status ?? 200, headers: new Headers(init?.headers), data };
}

function isDataWithInit(value: unknown): value is { data: unknown; init: ResponseInit | null } {
  return typeof value === "object" && value !== null && "data" in value && "init" in value;
}
