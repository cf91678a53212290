import { generateKeyPairSync } from "node:crypto";

/** Returns a new private key as service accounts have it, or one that only looks like it. */
export function createTestKey(kind: "rsa" | "ec" = "rsa"): string {
  const { privateKey } =
    kind === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
