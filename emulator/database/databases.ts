import { createDatabase, type Database } from "./database.ts";
import { toExportJson } from "./to-json.ts";
import { normalizeNamespace } from "./namespace.ts";
import { revokeListens } from "./notify.ts";
import { parsePut } from "./parse-data.ts";
import { parseRules, type Ruleset } from "./rules/parse-rules.ts";
import { resolveServerValues } from "./server-values.ts";
import { replaceRoot } from "./write.ts";

/** All databases of a server. */
export class Databases {
  readonly #byNamespace = new Map<string, Database>();
  readonly #now: () => number;
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
    const database = createDatabase(namespace, this.#rules);
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
}
