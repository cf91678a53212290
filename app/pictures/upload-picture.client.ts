import { hasStatus, requestJson } from "#app/http/fetch-json.ts";
import { describeError, type FormError } from "#app/http/form.ts";
import { toPicturePath } from "#app/http/picture-path.ts";

/** Enough for the largest picture on a slow connection. */
const UPLOAD_TIMEOUT_MS = 180_000;

/** In bytes, as on the server. */
const MAX_BYTES = 5_000_000;

/** In bytes. Smaller ones are often drawings, which lossy formats blur: they are sent as they are. */
const MAX_KEPT_BYTES = 200_000;

/** In bytes. A browser may need a hundred times as much memory for a picture. */
const MAX_FILE_BYTES = 50_000_000;

const QUALITY = 0.85;

/** A JPEG may have to be turned, and may say where it was taken. */
const KEPT_TYPES = new Set(["image/png", "image/webp"]);

const OFFLINE = "No connection. Try again when you're back online.";
const UNAVAILABLE = "We can't store pictures right now. Try again in a moment.";

const UNKNOWN = "Choose a PNG, JPEG, WebP or AVIF picture.";
const MOVING = "This picture moves. Choose one that doesn't.";
const UNREADABLE =
  "Your browser can't read this picture. It may be damaged, or of a kind that it doesn't know.";
const TOO_LARGE = "This file is larger than 50 MB. Save the picture with fewer pixels.";
const TOO_DETAILED = "This picture stays larger than 5 MB. Save it with fewer pixels.";

/** The path of an uploaded picture, or a sentence that says why there is none. */
export type UploadedPicture =
  | { status: "ok"; address: string }
  | { status: "error"; message: string };

interface UploadOptions {
  /** In pixels. A larger picture is made smaller. */
  longestSide: number;
  /** A form of the user: another may have signed in since. */
  form: HTMLFormElement | null;
  signal?: AbortSignal;
}

/** Prepares and stores a picture. Never rejects: an abort is an error too. */
export async function uploadPicture(
  file: Blob,
  { longestSide, form, signal }: UploadOptions,
): Promise<UploadedPicture> {
  const prepared = await preparePicture(file, longestSide);
  if (prepared.status === "error") return prepared;
  const body = new FormData();
  body.set("picture", prepared.picture, "picture");
  const uid = form && new FormData(form).get("uid");
  if (typeof uid === "string") body.set("uid", uid);
  const posted = await requestJson("/pictures", {
    method: "POST",
    body,
    signal,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  });
  if (posted.status !== "responded") {
    return { status: "error", message: posted.status === "offline" ? OFFLINE : UNAVAILABLE };
  }
  const result = posted.body;
  if (isUploaded(result)) return result;
  return { status: "error", message: isError(result) ? describeError(result) : UNAVAILABLE };
}

/** A picture that can be uploaded, or a sentence that says why there is none. */
export type PreparedPicture =
  | { status: "ok"; picture: Blob }
  | { status: "error"; message: string };

/**
 * Returns a picture upright and with no side longer than `longestSide` pixels, as WebP; as JPEG or PNG where the browser
 * writes none. It then says nothing but what it shows. A small file is kept, and cleaned by the server. Never rejects.
 */
export async function preparePicture(file: Blob, longestSide: number): Promise<PreparedPicture> {
  if (file.size > MAX_FILE_BYTES) return { status: "error", message: TOO_LARGE };
  const start = await readStart(file);
  const type = start === null ? null : findType(start);
  if (start === null) return { status: "error", message: UNREADABLE };
  if (type === null) return { status: "error", message: UNKNOWN };
  if (isMoving(start)) return { status: "error", message: MOVING };
  const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(
    () => null,
  );
  if (!bitmap) return { status: "error", message: UNREADABLE };
  try {
    const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height));
    const isKept = scale === 1 && file.size <= MAX_KEPT_BYTES && KEPT_TYPES.has(type);
    const picture = isKept ? new Blob([file], { type }) : await encode(bitmap, scale, type);
    if (!picture) return { status: "error", message: UNREADABLE };
    if (picture.size > MAX_BYTES) return { status: "error", message: TOO_DETAILED };
    return { status: "ok", picture };
  } finally {
    bitmap.close();
  }
}

function isUploaded(body: unknown): body is UploadedPicture & { status: "ok" } {
  if (!hasStatus(body, ["ok"])) return false;
  const address: unknown = Reflect.get(Object(body), "address");
  return typeof address === "string" && toPicturePath(address) === address;
}

function isError(body: unknown): body is FormError {
  return hasStatus(body, ["error"]) && typeof Reflect.get(Object(body), "message") === "string";
}

/** Enough for what says that a picture moves. */
async function readStart(file: Blob): Promise<string | null> {
  try {
    const bytes = new Uint8Array(await file.slice(0, 4096).arrayBuffer());
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  } catch {
    return null;
  }
}

/** Returns the type by the first bytes, because that of a file is only its name. */
function findType(start: string): string | null {
  if (start.startsWith("\x89PNG\r\n\x1A\n")) return "image/png";
  if (start.startsWith("\xFF\xD8\xFF")) return "image/jpeg";
  if (/^RIFF[^]{4}WEBP/.test(start)) return "image/webp";
  if (/^[^]{4}ftypavi[fs]/.test(start)) return "image/avif";
  return /^[^]{4}ftyp(?:hei[cxms]|mif1)/.test(start) ? "image/heic" : null;
}

function isMoving(start: string): boolean {
  const beforeData = start.split("IDAT", 1)[0] ?? "";
  if (start.startsWith("\x89PNG")) return beforeData.includes("acTL");
  if (start.startsWith("RIFF")) return start.slice(12, 64).includes("ANIM");
  return start.slice(4, 12) === "ftypavis";
}

async function encode(bitmap: ImageBitmap, scale: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const webp = await toBlob(canvas, "image/webp");
  if (webp?.type === "image/webp") return webp;
  const isPhoto = type === "image/jpeg" || type === "image/heic";
  const png = isPhoto ? null : await toBlob(canvas, "image/png");
  if (png && png.size <= MAX_BYTES) return png;
  // A JPEG has no transparency, which would become black.
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  return toBlob(canvas, "image/jpeg");
}

function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => {
    canvas.toBlob(resolve, type, QUALITY);
  });
}
