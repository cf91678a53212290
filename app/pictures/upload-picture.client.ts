import { hasStatus, requestJson } from "#app/http/fetch-json.ts";
import { describeError, type FormError } from "#app/http/form-error.ts";
import { toPicturePath } from "#app/http/picture-path.ts";
import { preparePicture } from "./prepare-picture.client.ts";

/** The path of an uploaded picture, or a sentence that says why there is none. */
export type UploadedPicture =
  | { status: "ok"; address: string }
  | { status: "error"; message: string };

/** Enough for the largest picture on a slow connection. */
const UPLOAD_TIMEOUT_MS = 180_000;

const OFFLINE = "No connection. Try again when you're back online.";
const UNAVAILABLE = "We can't store pictures right now. Try again in a moment.";

interface UploadOptions {
  /** In pixels. A larger picture is made smaller. */
  longestSide: number;
  /** Whose form it is: another user may have signed in since. */
  uid?: string | undefined;
  signal?: AbortSignal;
}

/** Prepares and stores a picture. Never rejects: an abort is an error too. */
export async function uploadPicture(
  file: Blob,
  { longestSide, uid, signal }: UploadOptions,
): Promise<UploadedPicture> {
  const prepared = await preparePicture(file, longestSide);
  if (prepared.status === "error") return prepared;
  const form = new FormData();
  form.set("picture", prepared.picture, "picture");
  if (uid !== undefined) form.set("uid", uid);
  const posted = await requestJson("/pictures", {
    method: "POST",
    body: form,
    signal,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  });
  if (posted.status !== "responded") {
    return { status: "error", message: posted.status === "offline" ? OFFLINE : UNAVAILABLE };
  }
  const { body } = posted;
  if (isUploaded(body)) return body;
  return { status: "error", message: isError(body) ? describeError(body) : UNAVAILABLE };
}

function isUploaded(body: unknown): body is UploadedPicture & { status: "ok" } {
  if (!hasStatus(body, ["ok"])) return false;
  const address: unknown = Reflect.get(Object(body), "address");
  return typeof address === "string" && toPicturePath(address) === address;
}

function isError(body: unknown): body is FormError {
  return hasStatus(body, ["error"]) && typeof Reflect.get(Object(body), "message") === "string";
}
