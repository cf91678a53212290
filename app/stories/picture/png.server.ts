import { crc32, deflateSync, inflateSync } from "node:zlib";

/** A PNG with a palette. */
export interface IndexedPng {
  width: number;
  height: number;
  /** Three bytes for each colour. */
  palette: Uint8Array;
  /** The index of each pixel's colour. Each row begins with a 0: it is not filtered. */
  rows: Uint8Array;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Reads a PNG that `encodePng` has written. */
export function decodePng(bytes: Uint8Array): IndexedPng {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Record<string, Uint8Array> = {};
  for (let at = SIGNATURE.length; at < bytes.length;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    chunks[type] = bytes.subarray(at + 8, at + 8 + length);
    at += length + 12;
  }
  const { PLTE: palette, IDAT: data } = chunks;
  if (!palette || !data) throw new TypeError("This is not a PNG with a palette");
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    palette,
    rows: inflateSync(data),
  };
}

/** @see https://www.w3.org/TR/png-3/ */
export function encodePng(
  { width, height, palette, rows }: IndexedPng,
  level = 3,
): Uint8Array<ArrayBuffer> {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  // 8 bits for each pixel, with a palette.
  header.setUint16(8, 0x08_03);
  const chunks = [
    toChunk("IHDR", new Uint8Array(header.buffer)),
    toChunk("PLTE", palette),
    toChunk("IDAT", deflateSync(rows, { level })),
    toChunk("IEND", new Uint8Array()),
  ];
  return new Uint8Array(Buffer.concat([Uint8Array.from(SIGNATURE), ...chunks]));
}

function toChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + 12);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(
    Array.from(type, (letter) => letter.charCodeAt(0)),
    4,
  );
  chunk.set(data, 8);
  view.setUint32(data.length + 8, crc32(chunk.subarray(4, data.length + 8)));
  return chunk;
}
