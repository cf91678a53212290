import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";

import { z } from "zod";

import { DatabaseError } from "./errors.ts";
import { authSchema, type Identity } from "./identity.ts";
import type { Lock } from "./lock.ts";
import type { Change } from "./parse-data.ts";
import type { PendingWrites } from "./pending-writes.ts";
import { formatPath } from "./path.ts";
import { toExportJson } from "./to-json.ts";
import { getAt, type DataNode } from "./tree.ts";

/** The file is rewritten when it is longer than this and than twice the data. */
const MIN_COMPACTION_BYTES = 1024 * 1024;

const changesSchema = z.array(z.tuple([z.string(), z.unknown()]));

/** A line of the file: the data at some paths of a database, or the onDisconnect writes of a session. */
const recordSchema = z.union([
  z.object({ ns: z.string(), set: changesSchema }),
  z.object({
    ns: z.string(),
    session: z.string(),
    identity: z.object({ isAdmin: z.boolean(), auth: authSchema.nullable() }),
    onDisconnect: changesSchema,
  }),
]);

export type JournalRecord = z.infer<typeof recordSchema>;

/** The file has been damaged: a record that is not the last cannot be read. */
export class JournalError extends Error {
  override name = "JournalError";
}

export interface JournalOptions {
  path: string;
  /** Without it, changes are refused: another process uses the file. */
  lock: Lock;
  /** Returns the data by namespace. Called before a change that makes the file too long. */
  exportData: () => Record<string, unknown>;
  /** Called with a sentence when a record is left out, or the first of several cannot be written. */
  onWarning: (message: string) => void;
}

/**
 * A file with every change, one JSON record a line. A record is written before its change is made, and so before anybody
 * sees it.
 *
 * What is written survives the end of the process. It is not flushed to the disk for each change, so that a loss of power
 * may take the last seconds.
 */
export class Journal {
  readonly #options: JournalOptions;
  #file: number;
  #bytes = 0;
  #compactAt = MIN_COMPACTION_BYTES;
  #isFailing = false;
  /** The last record of each session with onDisconnect writes. */
  readonly #sessions = new Map<string, string>();

  constructor(options: JournalOptions) {
    this.#options = options;
    closeSync(openSync(options.path, "a", 0o600));
    this.#file = openSync(options.path, "r+");
  }

  /**
   * Returns all records. Call it once, before the first change. A last record that was not written completely is removed:
   * its change was never acknowledged.
   *
   * @throws JournalError
   */
  read(): JournalRecord[] {
    const { path, onWarning } = this.#options;
    const bytes = readFileSync(this.#file);
    const records = [];
    for (let end; (end = bytes.indexOf("\n", this.#bytes)) >= 0; this.#bytes = end + 1) {
      const line = bytes.toString("utf8", this.#bytes, end);
      const record = parseRecord(line);
      if (!record) throw new JournalError(`Line ${records.length + 1} is damaged.`);
      records.push(record);
      this.#keepSession(record, line);
    }
    if (this.#bytes < bytes.length) {
      ftruncateSync(this.#file, this.#bytes);
      onWarning(`${path}: the last change was not written completely, so it is left out.`);
    }
    return records;
  }

  /** @throws DatabaseError `unavailable` when the record cannot be written; the change must not be made then. */
  recordChanges(
    ns: string,
    after: DataNode | null,
    changes: readonly Pick<Change, "path">[],
  ): void {
    this.#append({
      ns,
      set: changes.map(({ path }) => [formatPath(path), toExportJson(getAt(after, path))]),
    });
  }

  /** Replaces the onDisconnect writes of a session. @throws DatabaseError as `recordChanges` does. */
  recordSession(ns: string, session: string, identity: Identity, writes: PendingWrites): void {
    const onDisconnect = writes.map(({ path, data }): [string, unknown] => [
      formatPath(path),
      toExportJson(data),
    ]);
    this.#append({ ns, session, identity, onDisconnect });
  }

  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
  }

  #append(record: JournalRecord): void {
    const line = JSON.stringify(record);
    try {
      if (!this.#options.lock.isHeld()) throw new Error("another process uses the file");
      if (this.#bytes > this.#compactAt) this.#compact();
      this.#write(Buffer.from(`${line}\n`));
      this.#isFailing = false;
    } catch (error) {
      const message = `The change could not be saved (${describe(error)}), so it was not made.`;
      if (!this.#isFailing) this.#options.onWarning(message);
      this.#isFailing = true;
      throw new DatabaseError("unavailable", message);
    }
    this.#keepSession(record, line);
  }

  /** Writes all bytes at the end of the last record, or nothing. */
  #write(bytes: Buffer): void {
    let written = 0;
    try {
      while (written < bytes.length) {
        const rest = bytes.length - written;
        written += writeSync(this.#file, bytes, written, rest, this.#bytes + written);
      }
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
    this.#bytes += written;
  }

  #keepSession(record: JournalRecord, line: string): void {
    if (!("session" in record)) return;
    const key = `${record.ns}/${record.session}`;
    if (record.onDisconnect.length === 0) this.#sessions.delete(key);
    else this.#sessions.set(key, line);
  }

  /** Replaces the file with one that contains only the data and the onDisconnect writes. */
  #compact(): void {
    const { path, exportData, onWarning } = this.#options;
    const next = `${path}.next`;
    const lines = Object.entries(exportData()).map(([ns, data]) =>
      JSON.stringify({ ns, set: [["", data]] } satisfies JournalRecord),
    );
    const text = [...lines, ...this.#sessions.values()].map((line) => `${line}\n`).join("");
    try {
      writeFileSync(next, text, { mode: 0o600, flush: true });
      // Windows renames and replaces no file that is open.
      closeSync(this.#file);
      try {
        renameSync(next, path);
        this.#bytes = Buffer.byteLength(text);
      } finally {
        this.#file = openSync(path, "r+");
      }
    } catch (error) {
      rmSync(next, { force: true });
      onWarning(`${path} could not be made shorter (${describe(error)}), so it grows.`);
    }
    this.#compactAt = Math.max(MIN_COMPACTION_BYTES, 2 * this.#bytes);
  }
}

function parseRecord(line: string): JournalRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function describe(error: unknown): string {
  const isFull = error instanceof Error && "code" in error && error.code === "ENOSPC";
  if (isFull) return "the disk is full";
  return error instanceof Error ? error.message : String(error);
}
