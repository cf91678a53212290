/** The only protocol version the SDK accepts without a warning. It travels as text. */
export const PROTOCOL_VERSION = "5";

/** @see https://firebase.google.com/docs/database/usage/limits */
export const MAX_DEPTH_LEVELS = 32;
export const MAX_KEY_BYTES = 768;
export const MAX_STRING_BYTES = 10 * 1024 * 1024;
export const MAX_WRITE_BYTES = 16 * 1024 * 1024;
export const MAX_REST_BODY_BYTES = 256 * 1024 * 1024;

/** A message this long is refused by closing the socket: a write of 16 MiB fits several times over. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** A socket that has not answered one protocol ping when the next is due counts as dead. */
export const HEARTBEAT_MILLISECONDS = 30_000;

/** How long a client may take to answer our close frame when the server stops. */
export const CLOSE_GRACE_MILLISECONDS = 500;

/** 24 random bytes are 32 URL-safe characters, the length of Google's own session ids. */
export const SESSION_ID_BYTES = 24;

/** Stand in for "below every key" and "above every key" in queries. */
export const MIN_KEY = "[MIN_NAME]";
export const MAX_KEY = "[MAX_NAME]";
