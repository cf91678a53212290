import { generateKeyPairSync } from "node:crypto";

/** Returns a new private key in the format of service accounts: an RSA key, or an EC key, which is invalid for them. */
export function createTestKey(kind: "rsa" | "ec" = "rsa"): string {
  const { privateKey } =
    kind === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
