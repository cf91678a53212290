import { getRateRecordsPath, type RateKind } from "#app/session/rate-record.server.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { changeDocument } from "./documents.ts";

/**
 * Sets the times at which a user has posted or published, bypassing the rules.
 *
 * @param ages milliseconds ago, oldest first
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
  await changeDocument(hosts, `${getRateRecordsPath(uid)}/${kind}`, {
    id: { stringValue: "earlier" },
    at: { timestampValue: new Date(last).toISOString() },
    earlier: { arrayValue: { values } },
  });
}

/** Moves all of a user's messages and publications out of the rate limits. */
export async function clearRateRecords(hosts: FirebaseHosts, uid: string): Promise<void> {
  await setRateRecord(hosts, uid, "messages", [2 * 60 * 60_000]);
  await setRateRecord(hosts, uid, "publications", [2 * 60 * 60_000]);
}
