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

/** A complete message, with its text. */
export interface ReceivedMessage {
  readonly message: ClientMessage;
  readonly text: string;
}

/** Closes the connection: an invalid frame has no request number to respond to. */
export class FrameError extends Error {
  /** @see https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
  readonly closeCode: 1002 | 1009;

  constructor(closeCode: 1002 | 1009, message: string) {
    super(message);
    this.closeCode = closeCode;
  }
}

/**
 * Joins messages that are split into several frames. A frame with only a number announces how many follow. The frame `0`
 * is a keep-alive.
 */
export class FrameReader {
  readonly #maxLength: number;
  #expected = 0;
  #fragments: string[] = [];
  #length = 0;

  constructor(maxLength: number /* in UTF-16 code units, about bytes */) {
    this.#maxLength = maxLength;
  }

  /** Whether frames of a message are missing. */
  get isIncomplete(): boolean {
    return this.#expected > 0;
  }

  /**
   * Returns the message that this frame completes, or `null`.
   *
   * @throws FrameError 1002 when the message is not valid JSON of the protocol, 1009 when it is too long
   */
  read(frame: string): ReceivedMessage | null {
    if (this.#expected === 0) {
      if (!/^\d{1,6}$/.test(frame)) return parseMessage(frame);
      this.#expected = Number(frame);
      return null;
    }

    this.#fragments.push(frame);
    this.#length += frame.length;
    if (this.#length > this.#maxLength) throw new FrameError(1009, "The message is too long");
    if (this.#fragments.length < this.#expected) return null;

    const text = this.#fragments.join("");
    this.#expected = 0;
    this.#fragments = [];
    this.#length = 0;
    return parseMessage(text);
  }
}

function parseMessage(text: string): ReceivedMessage {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new FrameError(1002, "The message is not JSON");
  }
  const message = messageSchema.safeParse(json);
  if (!message.success)
    throw new FrameError(1002, "The message is neither a request nor a control message");
  return { message: message.data, text };
}
