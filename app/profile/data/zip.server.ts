// Not "fflate", whose files for Node are not for Workers.
import { Zip, ZipPassThrough } from "fflate/browser";

/** A file to be put into a ZIP. */
export interface TextFile {
  /** With its folders. */
  name: string;
  text: string;
}

/** A file that is compressed already. */
export interface CompressedFile {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A file in an opened ZIP, as the ZIP describes it. */
interface Entry {
  method: number;
  /** In bytes. */
  size: number;
  unpackedSize: number;
  /** Where it begins in the ZIP. */
  start: number;
}

/** Together, in bytes: what an import may unpack. */
const MAX_UNPACKED_BYTES = 60_000_000;

/** In bytes: the end of a ZIP, and the longest comment after it. */
const END_LENGTH = 22;
const MAX_COMMENT_LENGTH = 65_535;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;

/** The numbers of the methods of compression. */
const STORED = 0;
const DEFLATE = 8;

/** The list of files in a ZIP cannot be read. */
export class BadZipError extends Error {
  override name = "BadZipError";
}

/** A file compressed by the platform, which is faster than a library and compresses outside of the isolate's memory. */
class DeflatedFile extends ZipPassThrough {
  override compression = DEFLATE;
  readonly #compressed: Uint8Array;

  constructor(name: string, compressed: Uint8Array) {
    super(name);
    this.#compressed = compressed;
  }

  protected override process(_chunk: Uint8Array, isLast: boolean) {
    this.ondata(null, this.#compressed, isLast);
  }
}

/**
 * Yields the bytes of a ZIP with the files, and holds one file at a time. The list of all files comes last, without which
 * no program takes the rest for a whole ZIP.
 */
export async function* writeZip(
  files: AsyncIterable<TextFile | CompressedFile>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(new Uint8Array(chunk));
  });
  for await (const { name, ...content } of files) {
    const isText = "text" in content;
    const bytes = isText ? new TextEncoder().encode(content.text) : content.bytes;
    const file = isText ? new DeflatedFile(name, await deflate(bytes)) : new ZipPassThrough(name);
    zip.add(file);
    file.push(bytes, true);
    yield* chunks.splice(0);
  }
  zip.end();
  yield* chunks;
}

async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

/**
 * Opens a ZIP that may be hostile. Reads only its list of files. fflate would take the sizes in it for true, and read some
 * lists forever.
 *
 * @throws {BadZipError}
 */
export function openZip(bytes: Uint8Array<ArrayBuffer>) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries = readList(bytes, view);
  let remainingBytes = MAX_UNPACKED_BYTES;

  return {
    names: [...entries.keys()],

    /** Returns how many bytes the ZIP says that a file has; 0 if there is none. */
    getSize: (name: string): number => entries.get(name)?.unpackedSize ?? 0,

    /**
     * Unpacks a file of text.
     *
     * @returns `undefined` if there is none, if it is not text or damaged, or if too much was unpacked
     */
    async read(name: string): Promise<string | undefined> {
      try {
        const unpacked = await readBytes(name);
        return unpacked && decode(unpacked);
      } catch {
        return undefined;
      }
    },

    /** Unpacks a file; `undefined` if there is none, if it is damaged, or if too much was unpacked. */
    readBytes: (name: string) => readBytes(name).catch(() => undefined),
  };

  async function readBytes(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const entry = entries.get(name);
    if (!entry || entry.unpackedSize > remainingBytes) return undefined;
    remainingBytes -= entry.unpackedSize;
    return unpack(bytes, view, entry);
  }
}

export type OpenedZip = ReturnType<typeof openZip>;

/** Reads the list of files at the end of a ZIP. Names must differ. */
function readList(bytes: Uint8Array, view: DataView): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  try {
    let end = bytes.length - END_LENGTH;
    const first = end - MAX_COMMENT_LENGTH;
    while (end > first && view.getUint32(end, true) !== END_SIGNATURE) end -= 1;
    const count = view.getUint16(end + 10, true);
    let at = view.getUint32(end + 16, true);
    while (entries.size < count) {
      const nameEnd = at + 46 + view.getUint16(at + 28, true);
      const name = decode(bytes.subarray(at + 46, nameEnd));
      if (view.getUint32(at, true) !== ENTRY_SIGNATURE || entries.has(name)) throw new Error(name);
      entries.set(name, {
        method: view.getUint16(at + 10, true),
        size: view.getUint32(at + 20, true),
        unpackedSize: view.getUint32(at + 24, true),
        start: view.getUint32(at + 42, true),
      });
      at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
  } catch (cause) {
    throw new BadZipError("damaged", { cause });
  }
  return entries;
}

/** @throws if the file is damaged, or has not as many bytes as the list says */
async function unpack(
  bytes: Uint8Array<ArrayBuffer>,
  view: DataView,
  { method, size, unpackedSize, start }: Entry,
): Promise<Uint8Array<ArrayBuffer>> {
  const at = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
  const packed = bytes.subarray(at, at + size);
  const unpacked = new Uint8Array(unpackedSize);
  if (method !== DEFLATE) {
    if (method !== STORED || size !== unpackedSize) throw new Error("method");
    unpacked.set(packed);
    return unpacked;
  }
  const chunks = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = chunks.getReader();
  let length = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    // Throws if there is no room, which also ends the decompression.
    unpacked.set(next.value, length);
    length += next.value.length;
  }
  if (length !== unpackedSize) throw new Error("length");
  return unpacked;
}

/** @throws if it is not text */
function decode(bytes: Uint8Array): string {
  // Keeps U+FEFF, with which a text may begin.
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
