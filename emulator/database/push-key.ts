const ALPHABET = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

/** The number of random bytes in a key. */
export const PUSH_KEY_RANDOM_BYTES = 12;

/**
 * Returns a push ID: 20 characters that sort by time.
 *
 * @param now milliseconds since the Unix epoch
 * @see https://firebase.blog/posts/2015/02/the-2120-ways-to-ensure-unique_68
 */
export function createPushKey(now: number, random: Uint8Array): string {
  const time = Array.from({ length: 8 }, (_, index) =>
    ALPHABET.charAt(Math.floor(now / 64 ** (7 - index)) % 64),
  );
  const rest = Array.from(random, (byte) => ALPHABET.charAt(byte % 64));
  return [...time, ...rest].join("");
}
