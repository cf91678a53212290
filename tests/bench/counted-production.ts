import { startProduction, type ProductionOptions } from "./production.ts";
import { startReadCounter } from "./read-counter.ts";

/** Starts the production build with a `counter` of what it reads from Firestore. */
export async function startCountedProduction(options: Omit<ProductionOptions, "proxyHosts"> = {}) {
  const counters: Awaited<ReturnType<typeof startReadCounter>>[] = [];
  const app = await startProduction({
    ...options,
    proxyHosts: async (hosts) => {
      const counter = await startReadCounter(hosts.FIRESTORE_EMULATOR_HOST);
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
