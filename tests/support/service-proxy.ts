import type { FirebaseHosts } from "#emulator/hosts.ts";
import { startFaultProxy, type Fault, type FaultRequest } from "./fault-proxy.ts";

interface ServiceHop {
  /** The variable with the host that the app calls. */
  variable: keyof FirebaseHosts;
  matches: (request: FaultRequest) => boolean;
}

/** The services that the app calls. */
export const SERVICES = {
  auth: {
    variable: "FIREBASE_AUTH_EMULATOR_HOST",
    matches: ({ url }) => url.startsWith("/identitytoolkit"),
  },
  tokens: {
    variable: "FIREBASE_AUTH_EMULATOR_HOST",
    matches: ({ url }) => url.startsWith("/securetoken"),
  },
  firestore: { variable: "FIRESTORE_EMULATOR_HOST", matches: () => true },
  database: { variable: "FIREBASE_DATABASE_EMULATOR_HOST", matches: () => true },
} satisfies Record<string, ServiceHop>;

export type Service = keyof typeof SERVICES;

/** Starts a proxy between the app and a service, which lets all requests pass until `fault` is set. */
export async function startServiceProxy(hosts: FirebaseHosts, service: Service) {
  const { variable, matches }: ServiceHop = SERVICES[service];
  const state: { fault: Fault } = { fault: "none" };
  const proxy = await startFaultProxy(hosts[variable], (request) =>
    matches(request) ? state.fault : "none",
  );
  return {
    state,
    variables: { [variable]: proxy.host },
    log: proxy.log,
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

/** The contents of the database before a service fails. */
export const STORY = { id: "the-salt-road-0123456789", title: "The Salt Road" };
export const STORY_TEXT = "A road of salt leads to the sea.";
export const FIRST_MESSAGE = "Hello from before";
