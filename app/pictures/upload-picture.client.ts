import { hasStatus, requestJson } from "#app/http/fetch-json.ts";
import { describeError, type FormError } from "#app/http/form.ts";
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

function isUploaded(body: unknown): body is UploadedPicture & { status: "ok" } {
  if (!hasStatus(body, ["ok"])) return false;
  const address: unknown = Reflect.get(Object(body), "address");
  return typeof address === "string" && toPicturePath(address) === address;
}

function isError(body: unknown): body is FormError {
  return hasStatus(body, ["error"]) && typeof Reflect.get(Object(body), "message") === "string";
}
