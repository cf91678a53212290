import { createPrivateKey } from "node:crypto";

const PEM = /-----BEGIN PRIVATE KEY-----(.*?)(-----END PRIVATE KEY-----|$)/s;
const COPY_AGAIN = "Copy the private_key from the service account's JSON file again.";

/** A private key cannot be used. The message says why, without any part of the key. */
export class PrivateKeyError extends Error {
  override name = "PrivateKeyError";
}

/**
 * Parses the private key of a service account and returns it as PEM. Consoles, shells and `.env` files may have quoted
 * or indented it, or escaped its line breaks. To check that it can sign, it is imported with `node:crypto`, because Web
 * Crypto has no synchronous import and the environment is read synchronously.
 *
 * @throws {PrivateKeyError} when the key has no beginning, has no end, is damaged or is not an RSA key
 */
export function readPrivateKey(text: string): string {
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
