/** The only protocol version that the SDK accepts without a warning. Sent as a string. */
export const PROTOCOL_VERSION = "5";

/** @see https://firebase.google.com/docs/database/usage/limits */
export const MAX_DEPTH_LEVELS = 32;
export const MAX_KEY_BYTES = 768;
export const MAX_STRING_BYTES = 10 * 1024 * 1024;
export const MAX_WRITE_BYTES = 16 * 1024 * 1024;

/**
 * A longer message closes the socket, and a longer HTTP body is refused. Well above `MAX_WRITE_BYTES`, so that writes over
 * that limit get an error response.
 */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** The longest timeout of a REST read, and the default. */
export const MAX_READ_MS = 15 * 60_000;

/** Events are not sent to a reader of a stream while this many bytes wait for it. */
export const MAX_WAITING_BYTES = 1024 * 1024;

/**
 * A socket that has not responded to a WebSocket ping when the next is due is terminated. So is one that has sent nothing
 * since then of a message that it began.
 */
export const HEARTBEAT_INTERVAL_MS = 30_000;

/** How long a client may take to respond to the close frame when the server stops. */
export const CLOSE_GRACE_MS = 500;

/** 24 random bytes make 32 URL-safe characters, the length of Firebase's session ids. */
export const SESSION_ID_BYTES = 24;

/** The SDK's names for bounds below and above every key. */
export const MIN_KEY = "[MIN_NAME]";
export const MAX_KEY = "[MAX_NAME]";
