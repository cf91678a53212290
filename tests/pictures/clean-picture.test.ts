import { expect, test } from "vitest";

import { cleanPicture } from "#app/pictures/clean-picture.server.ts";
import { OTHERS, PICTURES } from "./files.ts";

/** A JPEG's segment of an application: `0` to `15`. */
function createSegment(number: number, bytes: readonly number[]): number[] {
  const length = bytes.length + 2;
  return [0xff, 0xe0 + number, length >> 8, length & 255, ...bytes];
}

const toBytes = (text: string) => Array.from(text, (character) => character.charCodeAt(0));

const TURNED = [
  ...toBytes("Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"),
  0,
  0,
  0,
  0,
];

/** Returns the JPEG with more segments, and something after it. */
function extendJpeg(...segments: number[][]): Uint8Array<ArrayBuffer> {
  const [first = 0, second = 0, ...rest] = PICTURES.progressive;
  return Uint8Array.of(first, second, ...segments.flat(), ...rest, ...toBytes("<script>"));
}

const clean = (bytes: Uint8Array<ArrayBuffer>) => cleanPicture(bytes).bytes;
const read = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

test.for(Object.entries(PICTURES))("a %s picture says no more than what it shows", ([, bytes]) => {
  const cleaned = clean(bytes);

  expect(read(cleaned)).not.toMatch(/Secret|GPS|Exif|EXIF|eXIf/);
  expect(clean(cleaned)).toEqual(cleaned);
});

test("a colour profile stays", () => {
  expect(read(PICTURES.jpg)).toContain("Secret Ana");
  expect(read(clean(PICTURES.jpg))).toContain("ICC_PROFILE");
  expect(read(clean(PICTURES.transparent))).toContain("ICCP");
});

test("a JPEG keeps its orientation, but no comment, preview, other data or file after it", () => {
  const jfif = [...toBytes("JFIF\0"), 1, 2, 0, 0, 1, 0, 1, 1, 1, 7, 7, 7];
  const xmp = toBytes("http://ns.adobe.com/xap/1.0/\0secret");
  const extended = extendJpeg(
    ...[createSegment(0, jfif), createSegment(1, TURNED), createSegment(1, xmp)],
    ...[createSegment(2, toBytes("MPF\0secret")), createSegment(14, toBytes("other secret"))],
    ...[createSegment(3, toBytes("Meta secret")), createSegment(15, toBytes("Graphic secret"))],
    [0xff, 0xfe, 0, 8, ...toBytes("secret")],
  );

  const cleaned = clean(extended);

  expect(read(cleaned)).toContain("Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06");
  expect(read(cleaned)).not.toMatch(/secret|script/);
  expect(read(cleaned)).not.toContain("\x07\x07\x07");
  expect(clean(cleaned)).toEqual(cleaned);
});

test("the data of a JPEG stays whole, where it has escaped bytes and restarts", () => {
  const start = read(PICTURES.progressive).indexOf("\xFF\xDA");
  const data = [0xff, 0, 0xff, 0xd0, 0xff, 0xd7, 0xff, 0xff, 0];
  const headerLength = 2 + (PICTURES.progressive[start + 3] ?? 0);

  const picture = insert(PICTURES.progressive, start + headerLength, data, 1);

  expect(read(clean(picture))).toContain(read(Uint8Array.from(data)));
});

test("a WebP says that it has a colour profile and transparency, but no details", () => {
  const readFlags = (bytes: Uint8Array) => bytes[read(bytes).indexOf("VP8X") + 8];

  expect(readFlags(PICTURES.transparent)).toBe(0b11_1000);
  expect(readFlags(clean(PICTURES.transparent))).toBe(0b11_0000);
});

test("what follows a picture in its file is left out", () => {
  for (const name of ["png", "webp", "lossless"] as const) {
    const bytes = Uint8Array.of(...PICTURES[name], ...toBytes("PK<script>"));
    expect(read(clean(bytes))).not.toContain("script");
  }
  expect(() => clean(Uint8Array.of(...PICTURES.avif, ...toBytes("PK<script>")))).toThrow();
});

test("a PNG has no texts, times or moving pictures", () => {
  const chunk = (type: string) => [0, 0, 0, 6, ...toBytes(`${type}secret`), 0, 0, 0, 0];
  const more = ["tEXt", "iTXt", "zTXt", "tIME", "acTL", "fcTL", "fdAT"].flatMap(chunk);
  const { png } = PICTURES;

  const cleaned = clean(Uint8Array.of(...png.subarray(0, 33), ...more, ...png.subarray(33)));

  expect(cleaned).toEqual(clean(png));
});

test.for(Object.entries(PICTURES))("a %s picture that is cut off is refused", ([, bytes]) => {
  for (let length = 0; length < bytes.length; length += 1) {
    const start = bytes.slice(0, length);
    // What a PNG or a JPEG has after its end is not needed.
    const isWhole = clean(bytes).length === length;
    if (!isWhole) expect(() => cleanPicture(start)).toThrow(/damaged|Choose/);
  }
});

test("a PNG of nothing but a start and an end is refused", () => {
  const { png } = PICTURES;
  const empty = Uint8Array.of(...png.subarray(0, 33), ...png.subarray(-12));

  expect(() => clean(empty)).toThrow("This picture is damaged");
});

/** Each returns a picture with empty pieces. */
const DIVIDED: Record<string, (count: number) => Uint8Array<ArrayBuffer>> = {
  JPEG: (count) => insert(PICTURES.progressive, 2, [0xff, 0xdb, 0, 2], count),
  PNG: (count) => insert(PICTURES.png, 33, [0, 0, 0, 0, ...toBytes("IDAT"), 0, 0, 0, 0], count),
  WebP: (count) => {
    const bytes = insert(PICTURES.webp, 30, [...toBytes("ICCP"), 0, 0, 0, 0], count);
    new DataView(bytes.buffer).setUint32(4, bytes.length - 8, true);
    return bytes;
  },
};

function insert(bytes: Uint8Array, at: number, piece: number[], count: number) {
  const pieces = Array.from({ length: count }, () => Uint8Array.from(piece));
  return Uint8Array.from(Buffer.concat([bytes.subarray(0, at), ...pieces, bytes.subarray(at)]));
}

test.for(Object.entries(DIVIDED))(
  "a %s of far more pieces than it needs is refused",
  ([, divide]) => {
    expect(() => clean(divide(1000))).not.toThrow();
    expect(() => clean(divide(20_000))).toThrow("This picture is damaged");
  },
);

test("a picture with more pixels than browsers can show to many is refused", () => {
  const change = (bytes: Uint8Array<ArrayBuffer>, at: number, ...values: number[]) => {
    const changed = bytes.slice();
    changed.set(values, at);
    return () => cleanPicture(changed);
  };
  const { png, progressive, webp, lossless, avif } = PICTURES;
  const frame = read(progressive).indexOf("\xFF\xC2");
  const size = read(avif).indexOf("ispe");
  for (const clean of [
    change(png, 16, 0, 0, 0x27, 0x11),
    change(png, 16, 0, 0, 0x20, 0, 0, 0, 0x20, 0),
    change(progressive, frame + 5, 0x20, 0, 0x20, 0),
    change(webp, read(webp).indexOf("VP8X") + 12, 0xff, 0xff, 0xff),
    change(webp, read(webp).indexOf("VP8 ") + 14, 0xff, 0x3f),
    change(webp, read(webp).indexOf("VP8X") + 12, 0x10, 0x27, 0),
    change(lossless, read(lossless).indexOf("VP8L") + 9, 0xff, 0xff, 0xff),
    change(lossless, read(lossless).indexOf("VP8L") + 9, 0x10, 0x27, 0),
    change(avif, size + 8, 0, 0, 0x27, 0x11),
  ]) {
    expect(clean).toThrow(
      "This picture has too many pixels. It can have up to 25 million, and sides of up to 10,000.",
    );
  }
  expect(change(png, 16, 0, 0, 0, 0)).toThrow("This picture is damaged");
  // 10,000 × 2,500 and 2,500 × 10,000
  expect(change(png, 16, 0, 0, 0x27, 0x10, 0, 0, 0x09, 0xc4)).not.toThrow();
  expect(change(png, 16, 0, 0, 0x09, 0xc4, 0, 0, 0x27, 0x10)).not.toThrow();
});

test("a picture that moves, has details that stay, or is of another kind is refused", () => {
  expect(() => cleanPicture(OTHERS.moving)).toThrow("This picture moves.");
  expect(() => cleanPicture(OTHERS.avifWithExif)).toThrow("Save it as JPEG, PNG or WebP.");
  expect(() => cleanPicture(OTHERS.gif)).toThrow("Choose a PNG, JPEG, WebP or AVIF picture.");
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
  expect(() => cleanPicture(svg)).toThrow("Choose a PNG, JPEG, WebP or AVIF picture.");
});
