/** In pixels. A picture of this size takes its readers' browsers 100 MB. */
const MAX_AREA = 25_000_000;
const MAX_SIDE = 10_000;

/** A JPEG has about ten. Each takes as much work as the whole picture. */
const MAX_SCANS = 64;

/** A file has a few hundred. Each takes far more time and memory than its bytes. */
const MAX_PIECES = 10_000;

/** What a PNG keeps: the picture, and its colours. */
const PNG_CHUNKS = new Set([
  "IHDR",
  "PLTE",
  "IDAT",
  "IEND",
  "tRNS",
  "cHRM",
  "gAMA",
  "iCCP",
  "sBIT",
  "sRGB",
  "cICP",
]);

/** What a WebP keeps. */
const WEBP_CHUNKS = new Set(["VP8X", "ICCP", "ALPH", "VP8 ", "VP8L"]);

/** The flags of a WebP's ICC profile and alpha channel. */
const KEPT_WEBP_FLAGS = 0x30;

/** The parts of an AVIF file, and the kinds of items in it, that are the picture. */
const AVIF_BOXES = new Set(["ftyp", "meta", "mdat", "free", "skip"]);
const AVIF_ITEMS = new Set(["av01", "grid", "iovl", "iden", "tmap"]);

export type PictureExtension = "avif" | "jpg" | "png" | "webp";

export interface CleanPicture {
  extension: PictureExtension;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A file is not a picture that can be shown. The message is for the user. */
export class PictureError extends Error {
  override name = "PictureError";
}

const UNKNOWN = "Choose a PNG, JPEG, WebP or AVIF picture.";
const DAMAGED = "This picture is damaged or incomplete.";
const MOVING = "This picture moves. Choose one that doesn't.";
const TOO_LARGE = `This picture has too many pixels. It can have up to ${MAX_AREA / 1_000_000} million, and sides of up to ${MAX_SIDE.toLocaleString("en")}.`;
const AVIF_DETAILS =
  "This AVIF file may say where or how the picture was made, which we can't remove. Save it as JPEG, PNG or WebP.";

/**
 * Returns a picture that consists only of what shows it: without the place and camera, texts, previews, and whatever follows
 * it in the file. A JPEG keeps its orientation, and each format its colour profile. What is left of a picture that is
 * cleaned again does not change. The type is that of the bytes.
 *
 * Written here, because the libraries that remove metadata need Node's streams or a canvas, or keep what they do not know.
 *
 * @throws {PictureError}
 */
export function cleanPicture(bytes: Uint8Array<ArrayBuffer>): CleanPicture {
  const extension = findExtension(bytes);
  if (!extension) throw new PictureError(UNKNOWN);
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { extension, bytes: concat(CLEANERS[extension](bytes, view)) };
  } catch (error) {
    if (error instanceof RangeError) throw new PictureError(DAMAGED, { cause: error });
    throw error;
  }
}

type Pieces = Uint8Array[];

const CLEANERS: Record<PictureExtension, (bytes: Uint8Array, view: DataView) => Pieces> = {
  avif: cleanAvif,
  jpg: cleanJpeg,
  png: cleanPng,
  webp: cleanWebp,
};

function findExtension(bytes: Uint8Array): PictureExtension | undefined {
  if (readText(bytes, 0, 8) === "\x89PNG\r\n\x1A\n") return "png";
  if (readText(bytes, 0, 3) === "\xFF\xD8\xFF") return "jpg";
  if (readText(bytes, 0, 4) === "RIFF" && readText(bytes, 8, 4) === "WEBP") return "webp";
  return readText(bytes, 4, 8).match(/^ftypavi[fs]$/) ? "avif" : undefined;
}

/** @see https://www.w3.org/TR/png-3/ */
function cleanPng(bytes: Uint8Array, view: DataView): Pieces {
  const pieces = [bytes.subarray(0, 8)];
  let hasData = false;
  for (let at = 8, count = 1; ; count += 1) {
    checkCount(count);
    const length = view.getUint32(at);
    const type = readText(bytes, at + 4, 4);
    const chunk = take(bytes, at, length + 12);
    if ((type === "IHDR") !== (at === 8)) throw new PictureError(DAMAGED);
    if (type === "IHDR") checkSize(view.getUint32(16), view.getUint32(20));
    if (type === "IDAT") hasData = true;
    if (PNG_CHUNKS.has(type)) pieces.push(chunk);
    if (type === "IEND") {
      if (!hasData || length > 0) throw new PictureError(DAMAGED);
      return pieces;
    }
    at += chunk.length;
  }
}

/** @see https://www.w3.org/Graphics/JPEG/itu-t81.pdf */
function cleanJpeg(bytes: Uint8Array, view: DataView): Pieces {
  const pieces: Pieces = [];
  let jfif: Pieces = [];
  let orientation = 1;
  let frames = 0;
  let scans = 0;
  let segments = 0;
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) throw new PictureError(DAMAGED);
    const marker = view.getUint8(at + 1);
    // Fill bytes may precede a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) {
      if (scans === 0) throw new PictureError(DAMAGED);
      const exif = orientation === 1 ? [] : [createExif(orientation)];
      return [bytes.subarray(0, 2), ...jfif, ...exif, ...pieces, bytes.subarray(at, at + 2)];
    }
    segments += 1;
    checkCount(segments);
    const segment = take(bytes, at, view.getUint16(at + 2) + 2);
    const start = at;
    at += segment.length;
    switch (marker) {
      case 0xc0:
      case 0xc1:
      case 0xc2:
        frames += 1;
        if (frames > 1) throw new PictureError(DAMAGED);
        checkSize(view.getUint16(start + 7), view.getUint16(start + 5));
        pieces.push(segment);
        break;
      // Tables of the picture.
      case 0xc4:
      case 0xcc:
      case 0xdb:
      case 0xdd:
        pieces.push(segment);
        break;
      case 0xda: {
        scans += 1;
        if (frames === 0 || scans > MAX_SCANS) throw new PictureError(DAMAGED);
        const end = findScanEnd(bytes, at);
        pieces.push(segment, bytes.subarray(at, end));
        at = end;
        break;
      }
      case 0xe0:
        // Without the preview.
        if (readText(segment, 4, 5) === "JFIF\0" && segment.length >= 18) {
          jfif = [Uint8Array.of(0xff, 0xe0, 0, 16, ...segment.subarray(4, 16), 0, 0)];
        }
        break;
      case 0xe1:
        if (readText(segment, 4, 6) === "Exif\0\0") orientation = readOrientation(segment);
        break;
      case 0xe2:
        if (readText(segment, 4, 12) === "ICC_PROFILE\0") pieces.push(segment);
        break;
      // Says how the colours are stored.
      case 0xee:
        if (readText(segment, 4, 5) === "Adobe") pieces.push(segment);
        break;
      default:
        // Other applications' data and comments; everything else is no part of the JPEGs that browsers show.
        if (!((marker >= 0xe3 && marker <= 0xef) || marker === 0xfe)) {
          throw new PictureError(DAMAGED);
        }
    }
  }
}

/** Returns where the first marker after a scan begins. */
function findScanEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; ; at += 1) {
    at = bytes.indexOf(0xff, at);
    const next = at < 0 ? undefined : bytes[at + 1];
    if (next === undefined) throw new PictureError(DAMAGED);
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
  }
}

/** Returns the orientation that a JPEG's Exif segment says; 1, the usual one, if it says none. */
function readOrientation(segment: Uint8Array): number {
  const view = new DataView(segment.slice(10).buffer);
  try {
    const isLittle = view.getUint16(0) === 0x4949;
    const start = view.getUint32(4, isLittle);
    const count = view.getUint16(start, isLittle);
    for (let at = start + 2; at < start + 2 + count * 12; at += 12) {
      if (view.getUint16(at, isLittle) !== 0x112) continue;
      const orientation = view.getUint16(at + 8, isLittle);
      return orientation >= 1 && orientation <= 8 ? orientation : 1;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return 1;
}

/** Returns an Exif segment with the orientation alone. */
function createExif(orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation];
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0];
  return Uint8Array.of(0xff, 0xe1, 0, 34, ...exif, ...tiff, 0, 0, 0, 0, 0, 0);
}

/** @see https://developers.google.com/speed/webp/docs/riff_container */
function cleanWebp(bytes: Uint8Array, view: DataView): Pieces {
  const file = take(bytes, 0, view.getUint32(4, true) + 8);
  const pieces: Pieces = [];
  let pictures = 0;
  for (let at = 12, count = 1; at < file.length; count += 1) {
    checkCount(count);
    const type = readText(file, at, 4);
    const size = view.getUint32(at + 4, true);
    const chunk = take(file, at, size + 8).slice();
    const data = new DataView(chunk.buffer, 8);
    if (type === "ANIM" || type === "ANMF") throw new PictureError(MOVING);
    if (type === "VP8X") {
      if (data.getUint8(0) & 2) throw new PictureError(MOVING);
      checkSize((data.getUint32(3, true) >>> 8) + 1, (data.getUint32(6, true) >>> 8) + 1);
      data.setUint8(0, data.getUint8(0) & KEPT_WEBP_FLAGS);
    }
    if (type === "VP8 ") {
      checkSize(data.getUint16(6, true) & 0x3fff, data.getUint16(8, true) & 0x3fff);
    }
    if (type === "VP8L") {
      const bits = data.getUint32(1, true);
      checkSize((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1);
    }
    if (type === "VP8 " || type === "VP8L") pictures += 1;
    if (WEBP_CHUNKS.has(type)) pieces.push(chunk, new Uint8Array(size % 2));
    at += size + 8 + (size % 2);
  }
  if (pictures !== 1) throw new PictureError(DAMAGED);
  const header = bytes.slice(0, 12);
  const length = pieces.reduce((sum, piece) => sum + piece.length, 4);
  new DataView(header.buffer).setUint32(4, length, true);
  return [header, ...pieces];
}

/**
 * An AVIF file refers to its parts by where they are, so nothing can be left out of it. One with details is rejected.
 *
 * @see https://aomediacodec.github.io/av1-avif/
 */
function cleanAvif(bytes: Uint8Array, view: DataView): Pieces {
  const cleaned = bytes.slice();
  let sizes = 0;
  let hasItems = false;
  let hasData = false;
  for (const box of readBoxes(bytes, view, 0, bytes.length)) {
    if (box.type === "moov") throw new PictureError(MOVING);
    if (!AVIF_BOXES.has(box.type)) throw new PictureError(AVIF_DETAILS);
    if (box.type === "free" || box.type === "skip") cleaned.fill(0, box.start, box.end);
    if (box.type === "mdat") hasData = true;
    if (box.type !== "meta") continue;
    for (const part of readBoxes(bytes, view, box.start + 4, box.end)) {
      if (part.type === "uuid") throw new PictureError(AVIF_DETAILS);
      if (part.type === "iinf") {
        const start = part.start + (view.getUint8(part.start) === 0 ? 6 : 8);
        for (const item of readBoxes(bytes, view, start, part.end)) {
          const at = item.start + (view.getUint8(item.start) === 3 ? 10 : 8);
          if (!AVIF_ITEMS.has(readText(bytes, at, 4))) throw new PictureError(AVIF_DETAILS);
          hasItems = true;
        }
      }
      if (part.type !== "iprp") continue;
      for (const { type, start, end } of readBoxes(bytes, view, part.start, part.end)) {
        if (type !== "ipco") continue;
        for (const property of readBoxes(bytes, view, start, end)) {
          if (property.type !== "ispe") continue;
          checkSize(view.getUint32(property.start + 4), view.getUint32(property.start + 8));
          sizes += 1;
        }
      }
    }
  }
  if (sizes === 0 || !hasItems || !hasData) throw new PictureError(DAMAGED);
  return [cleaned];
}

interface Box {
  type: string;
  /** Where its content begins and ends. */
  start: number;
  end: number;
}

/** Yields the boxes between two places. They must fill the space. */
function* readBoxes(
  bytes: Uint8Array,
  view: DataView,
  from: number,
  to: number,
): Generator<Box, void> {
  for (let at = from; at < to;) {
    const size = view.getUint32(at);
    const isLong = size === 1;
    const length = isLong ? Number(view.getBigUint64(at + 8)) : size || to - at;
    const head = isLong ? 16 : 8;
    const end = at + length;
    if (length < head || end > to) throw new PictureError(DAMAGED);
    yield { type: readText(bytes, at + 4, 4), start: at + head, end };
    at = end;
  }
}

/** @throws {PictureError} */
function checkSize(width: number, height: number): void {
  if (width === 0 || height === 0) throw new PictureError(DAMAGED);
  const isTooLarge = width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_AREA;
  if (isTooLarge) throw new PictureError(TOO_LARGE);
}

/** @throws {PictureError} */
function checkCount(pieces: number): void {
  if (pieces > MAX_PIECES) throw new PictureError(DAMAGED);
}

/** Returns the bytes as characters of the same numbers. */
function readText(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

/** @throws {PictureError} if there are fewer bytes */
function take(bytes: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > bytes.length) throw new PictureError(DAMAGED);
  return bytes.subarray(at, at + length);
}

function concat(pieces: Pieces): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
