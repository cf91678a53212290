import { rateRecordsPath, type RateKind } from "#app/session/rate-record-schema.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { changeDocument } from "./documents.ts";

/**
 * Lets a person have posted or published at these times, whatever the rules say.
 *
 * @param ages how long ago in milliseconds, the oldest first
 */
export async function setRateRecord(
  hosts: FirebaseHosts,
  uid: string,
  kind: RateKind,
  ages: number[],
): Promise<void> {
  const times = ages.map((age) => Date.now() - age);
  const last = times.pop() ?? 0;
  const values = times.map((time) => ({ integerValue: String(time) }));
  await changeDocument(hosts, `${rateRecordsPath(uid)}/${kind}`, {
    id: { stringValue: "earlier" },
    at: { timestampValue: new Date(last).toISOString() },
    earlier: { arrayValue: { values } },
  });
}

/** Lets what a person has posted and published have been long ago. */
export async function forgetRates(hosts: FirebaseHosts, uid: string): Promise<void> {
  await setRateRecord(hosts, uid, "messages", [2 * 60 * 60_000]);
  await setRateRecord(hosts, uid, "publications", [2 * 60 * 60_000]);
}
