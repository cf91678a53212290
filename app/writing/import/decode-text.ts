import { WINDOWS_1252 } from "./markup.ts";

/** In bytes: how much of a file is looked at to find its encoding. */
const SAMPLE = 4096;

const BYTE_ORDER_MARKS: [encoding: string, bytes: number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** What text has no use for. `\x1a` ended files of DOS. */
// oxlint-disable-next-line no-control-regex -- finds these
const CONTROLS = /[\0-\x08\x0e-\x19\x1b-\x1f]/;

/**
 * Decodes a text file with LF line breaks: UTF-8, UTF-16 with or without a byte order mark, or else Windows-1252, in which
 * Notepad wrote for decades. Returns `null` if it is no text.
 */
export function decodeText(bytes: Uint8Array): string | null {
  const encoding = findMark(bytes) ?? findUtf16(bytes) ?? findDeclared(bytes) ?? "utf-8";
  const text = decode(bytes, encoding) ?? decode(bytes, "windows-1252");
  if (text === null || CONTROLS.test(text)) return null;
  return (
    text
      .replaceAll("\u001a", "")
      // Some versions of Node decode Windows-1252 as if it were Latin-1, where these are controls.
      .replaceAll(/[\u0080-\u009f]/g, (sign) => WINDOWS_1252.charAt(sign.charCodeAt(0) - 128))
      .replaceAll(/\r\n?/g, "\n")
      .toWellFormed()
  );
}

function findMark(bytes: Uint8Array): string | undefined {
  return BYTE_ORDER_MARKS.find(([, mark]) =>
    mark.every((byte, index) => bytes[index] === byte),
  )?.[0];
}

/** In UTF-16, every other byte of Latin letters, spaces and line breaks is zero. */
function findUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length / 20 && even === 0) return "utf-16le";
  return even > sample.length / 20 && odd === 0 ? "utf-16be" : undefined;
}

/**
 * Returns the encoding that HTML declares. A declaration that was read here is not in UTF-16, whatever it says.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
 */
function findDeclared(bytes: Uint8Array): string | undefined {
  const start = decode(bytes.subarray(0, SAMPLE), "windows-1252") ?? "";
  const declared = /<meta[^>]+charset=["']?([\w-]+)/i.exec(start)?.[1];
  return /^utf-16|unicode|ucs-2/i.test(declared ?? "") ? undefined : declared;
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
