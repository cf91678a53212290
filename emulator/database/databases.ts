import { createDatabase, type Database } from "./database.ts";
import { JournalError, type Journal } from "./journal.ts";
import { toExportJson } from "./to-json.ts";
import { normalizeNamespace } from "./namespace.ts";
import { revokeListens } from "./notify.ts";
import { runOnDisconnect } from "./on-disconnect.ts";
import { parsePut, type Change } from "./parse-data.ts";
import { parseRules, type Ruleset } from "./rules/parse-rules.ts";
import { resolveServerValues } from "./server-values.ts";
import { createSession, type Session } from "./session.ts";
import { setAt } from "./tree.ts";
import { replaceRoot } from "./write.ts";

/** All databases of a server. */
export class Databases {
  readonly #byNamespace = new Map<string, Database>();
  readonly #now: () => number;
  #journal: Journal | undefined;
  #rules: Ruleset;

  /** @throws RulesError */
  constructor(rules: string, now: () => number) {
    this.#rules = parseRules(rules);
    this.#now = now;
  }

  /** Returns the database of a normalized namespace, and creates it if needed. */
  get(namespace: string): Database {
    const existing = this.#byNamespace.get(namespace);
    if (existing) return existing;
    const database = createDatabase(namespace, this.#rules, this.#journal);
    this.#byNamespace.set(namespace, database);
    return database;
  }

  list(): Database[] {
    return [...this.#byNamespace.values()];
  }

  get revision(): number {
    return this.list().reduce((sum, { revision }) => sum + revision, 0);
  }

  /** Replaces the rules of every database, including future ones. @throws RulesError */
  setRules(source: string): void {
    this.#rules = parseRules(source);
    for (const database of this.list()) this.setRulesOf(database, source);
  }

  /** @throws RulesError; the rules are unchanged then. */
  setRulesOf(database: Database, source: string): void {
    database.rules = parseRules(source);
    const now = this.#now();
    for (const session of database.sessions.values()) revokeListens(database, session, now);
  }

  export(): Record<string, unknown> {
    const nonEmptyDatabases = this.list().filter(({ root }) => root !== null);
    return Object.fromEntries(
      nonEmptyDatabases.map(({ namespace, root }) => [namespace, toExportJson(root)]),
    );
  }

  import(data: Readonly<Record<string, unknown>>): void {
    const now = this.#now();
    // Parses everything first, so that invalid data changes nothing.
    const roots = Object.entries(data).map(([name, json]) => {
      const namespace = normalizeNamespace(name);
      if (namespace === null) throw new TypeError(`"${name}" cannot name a database.`);
      return { namespace, root: resolveServerValues(parsePut("/", json).data, null, now) };
    });
    for (const { namespace, root } of roots) {
      replaceRoot(this.get(namespace), root, [{ path: [] }], now);
    }
  }

  /**
   * Repeats the changes of a journal, and runs the onDisconnect operations of the sessions that have not ended in it.
   * Changes from now on are written to it. Call it before the first one.
   *
   * @throws JournalError
   */
  restore(journal: Journal): void {
    this.#journal = journal;
    const sessions = new Map<string, { database: Database; session: Session }>();
    for (const [index, record] of journal.read().entries()) {
      const database = this.get(record.ns);
      try {
        if ("set" in record) {
          for (const { path, data } of parseChanges(record.set)) {
            const value = resolveServerValues(data, null, 0);
            database.root = setAt(database.root, path, value);
          }
        } else {
          const session = createSession(record.session, ignore, ignore);
          session.identity = record.identity;
          session.onDisconnect = parseChanges(record.onDisconnect);
          sessions.set(`${record.ns}/${session.id}`, { database, session });
        }
      } catch (error) {
        throw new JournalError(`Line ${index + 1} is damaged: ${String(error)}`, { cause: error });
      }
    }
    const now = this.#now();
    for (const { database, session } of sessions.values()) runOnDisconnect(database, session, now);
  }
}

function parseChanges(changes: readonly [string, unknown][]): Change[] {
  return changes.map(([path, data]) => parsePut(path, data));
}

function ignore(): void {}
