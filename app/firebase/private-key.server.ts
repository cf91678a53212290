import { createPrivateKey } from "node:crypto";

const PEM = /-----BEGIN PRIVATE KEY-----(.*?)(-----END PRIVATE KEY-----|$)/s;
const AGAIN = "Copy the private_key from the service account's JSON file again.";

/** A private key cannot be used. The message says why, and nothing of the key. */
export class PrivateKeyError extends Error {
  override name = "PrivateKeyError";
}

/**
 * Reads the private key of a service account, which consoles, shells and `.env` files hand over quoted, with escaped line
 * ends or indented, and returns it as PEM. It is imported to prove that it can sign: synchronously, by the one import of
 * the platform that is, so that the environment is checked in one go.
 *
 * @throws {PrivateKeyError}
 */
export function readPrivateKey(text: string): string {
  const [, body, end] = PEM.exec(text) ?? [];
  if (body === undefined) {
    throw new PrivateKeyError(
      "Expected the private_key of a service account, which begins with -----BEGIN PRIVATE KEY-----.",
    );
  }
  if (!end) {
    throw new PrivateKeyError(`It is cut off: -----END PRIVATE KEY----- is missing. ${AGAIN}`);
  }
  const base64 = body
    // JSON may write "=" like this.
    .replaceAll(/\\+u003d/gi, "=")
    .replaceAll(/\\+[nr]|[\s"'\\]/g, "");
  const lines = base64.match(/.{1,64}/g) ?? [];
  const pem = ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
  if (findKeyType(pem) !== "rsa") {
    throw new PrivateKeyError("Expected the RSA key of a service account.");
  }
  return pem;
}

function findKeyType(pem: string): string | undefined {
  try {
    return createPrivateKey(pem).asymmetricKeyType;
  } catch {
    // What the platform says of a key may hold some of it.
    throw new PrivateKeyError(`It is cut off or damaged. ${AGAIN}`);
  }
}
