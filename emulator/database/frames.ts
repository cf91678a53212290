import { z } from "zod";

const controlSchema = z.object({
  t: z.literal("c"),
  d: z.object({ t: z.string(), d: z.unknown().optional() }),
});

const requestSchema = z.object({
  t: z.literal("d"),
  d: z.object({ r: z.number(), a: z.string(), b: z.unknown().optional() }),
});

const messageSchema = z.discriminatedUnion("t", [controlSchema, requestSchema]);

type ClientMessage = z.infer<typeof messageSchema>;

/** A complete message, with the text it came as. */
export interface Received {
  readonly message: ClientMessage;
  readonly text: string;
}

/** Ends a connection whose frames make no sense; there is no request number to answer to. */
export class FrameError extends Error {
  /** @see https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
  readonly closeCode: 1002 | 1009;

  constructor(closeCode: 1002 | 1009, message: string) {
    super(message);
    this.closeCode = closeCode;
  }
}

/**
 * Puts together messages that arrive in pieces: a frame with a small number announces as many frames to join.
 * A zero is only a sign of life.
 */
export class FrameReader {
  readonly #maxLength: number;
  #expected = 0;
  #pieces: string[] = [];
  #length = 0;

  constructor(maxLength: number /* in UTF-16 code units, about bytes */) {
    this.#maxLength = maxLength;
  }

  /**
   * Takes one frame and returns the message it completes, or `null`.
   *
   * @throws FrameError
   */
  read(frame: string): Received | null {
    if (this.#expected === 0) {
      if (!/^\d{1,6}$/.test(frame)) return parseMessage(frame);
      this.#expected = Number(frame);
      return null;
    }

    this.#pieces.push(frame);
    this.#length += frame.length;
    if (this.#length > this.#maxLength) throw new FrameError(1009, "The message is too long");
    if (this.#pieces.length < this.#expected) return null;

    const text = this.#pieces.join("");
    this.#expected = 0;
    this.#pieces = [];
    this.#length = 0;
    return parseMessage(text);
  }
}

function parseMessage(text: string): Received {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new FrameError(1002, "The message is not JSON");
  }
  const message = messageSchema.safeParse(json);
  if (!message.success) throw new FrameError(1002, "The message is neither a request nor control");
  return { message: message.data, text };
}
