import { startProduction, type ProductionOptions } from "./production.ts";
import { startReadCounter } from "./read-counter.ts";

interface CountedOptions extends Omit<ProductionOptions, "proxyHosts"> {
  /** The shortest time that a response of Firestore takes, in milliseconds. @default 0 */
  firestoreMs?: number;
}

/** Starts the production build with a `counter` of what it reads from Firestore. */
export async function startCountedProduction({ firestoreMs = 0, ...options }: CountedOptions = {}) {
  const counters: Awaited<ReturnType<typeof startReadCounter>>[] = [];
  const app = await startProduction({
    ...options,
    proxyHosts: async (hosts) => {
      const counter = await startReadCounter(hosts.FIRESTORE_EMULATOR_HOST, firestoreMs);
      counters.push(counter);
      return { ...hosts, FIRESTORE_EMULATOR_HOST: counter.host };
    },
  });
  const [counter] = counters;
  if (!counter) throw new Error("Expected a counter");
  return {
    ...app,
    counter,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      counter[Symbol.dispose]();
    },
  };
}
