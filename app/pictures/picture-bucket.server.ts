import type { AppLoadContext } from "@remix-run/cloudflare";

import { UnavailableError } from "#app/http/unavailable-error.server.ts";

/** The part of R2 that is used here. @see https://developers.cloudflare.com/r2/api/workers/workers-api-reference/ */
interface R2Bucket {
  head: (key: string) => Promise<{ size: number } | null>;
  get: (key: string) => Promise<{ size: number; body: ReadableStream<Uint8Array> } | null>;
  put: (key: string, value: Uint8Array) => Promise<unknown>;
  delete: (keys: string | string[]) => Promise<void>;
  list: (options: { prefix: string; cursor?: string }) => Promise<{
    objects: { key: string; size: number }[];
    truncated: boolean;
    cursor?: string;
  }>;
}

export type PictureBucket = ReturnType<typeof wrapBucket>;

/** Returns the bucket with the uploaded pictures, which is optional. */
export function findPictureBucket({ cloudflare }: AppLoadContext): PictureBucket | null {
  const bucket: unknown = Reflect.get(cloudflare.env, "PICTURES");
  return isBucket(bucket) ? wrapBucket(bucket) : null;
}

/** Whether pictures can be uploaded. */
export function canUpload(context: AppLoadContext): boolean {
  return findPictureBucket(context) !== null;
}

function isBucket(binding: unknown): binding is R2Bucket {
  // wrangler's proxy for a missing binding has a value for every property name, so check the type of the value.
  const isObject = typeof binding === "object" && binding !== null;
  return isObject && typeof Reflect.get(binding, "put") === "function";
}

/** Names objects by the picture's path. Each method throws an `UnavailableError` when R2 does not respond. */
function wrapBucket(bucket: R2Bucket) {
  const toKey = (path: string) => path.slice("/pictures/".length);
  return {
    /** Returns the bytes; `undefined` if there is no such picture, or an operator has removed it. */
    async open(path: string): Promise<ReadableStream<Uint8Array> | undefined> {
      const object = await call(() => bucket.get(toKey(path)));
      return object && object.size > 0 ? object.body : undefined;
    },

    /** Returns no bytes, if the picture is there; otherwise as `open`. */
    async check(path: string): Promise<null | undefined> {
      const object = await call(() => bucket.head(toKey(path)));
      return object && object.size > 0 ? null : undefined;
    },

    /** Removes a picture as an operator. What stays in its place has no bytes. */
    remove: (path: string) => call(() => bucket.put(toKey(path), new Uint8Array(0))),

    put: (path: string, bytes: Uint8Array) => call(() => bucket.put(toKey(path), bytes)),

    /** Returns what a user has uploaded, and what of it operators have removed, with the number of bytes. */
    async list(uid: string): Promise<{ path: string; size: number }[]> {
      const pictures: { path: string; size: number }[] = [];
      let cursor: string | undefined;
      do {
        const options = { prefix: `${uid}/`, ...(cursor !== undefined && { cursor }) };
        const page = await call(() => bucket.list(options));
        pictures.push(...page.objects.map(({ key, size }) => ({ path: `/pictures/${key}`, size })));
        cursor = page.truncated ? page.cursor : undefined;
      } while (cursor !== undefined);
      return pictures;
    },

    async delete(paths: readonly string[]): Promise<void> {
      // As many as R2 deletes at a time.
      for (let at = 0; at < paths.length; at += 1000) {
        await call(() => bucket.delete(paths.slice(at, at + 1000).map(toKey)));
      }
    },
  };
}

async function call<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (cause) {
    throw new UnavailableError("The bucket with the pictures does not respond", { cause });
  }
}
