import { createDatabase, type Database } from "./database.ts";
import { toExportForm } from "./export-form.ts";
import { normalizeNamespace } from "./namespace.ts";
import { revokeListens } from "./notify.ts";
import { parsePut } from "./parse-data.ts";
import { parseRules, type Ruleset } from "./rules/parse-rules.ts";
import { resolve } from "./server-values.ts";
import { replaceRoot } from "./write.ts";

/** All databases of a server, made when first spoken of. */
export class Databases {
  readonly #byNamespace = new Map<string, Database>();
  readonly #now: () => number;
  #rules: Ruleset;

  /** @throws RulesError */
  constructor(rules: string, now: () => number) {
    this.#rules = parseRules(rules);
    this.#now = now;
  }

  /** Takes the namespace in its normalized spelling. */
  open(namespace: string): Database {
    const known = this.#byNamespace.get(namespace);
    if (known) return known;
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

  /** Governs every database by these rules, those to come included. @throws RulesError */
  setRules(source: string): void {
    this.#rules = parseRules(source);
    for (const database of this.list()) this.setRulesOf(database, source);
  }

  /** @throws RulesError and keeps the rules there were. */
  setRulesOf(database: Database, source: string): void {
    database.rules = parseRules(source);
    const now = this.#now();
    for (const session of database.sessions.values()) revokeListens(database, session, now);
  }

  export(): Record<string, unknown> {
    const filled = this.list().filter(({ root }) => root !== null);
    return Object.fromEntries(filled.map(({ namespace, root }) => [namespace, toExportForm(root)]));
  }

  import(data: Readonly<Record<string, unknown>>): void {
    const now = this.#now();
    // All are parsed before one is replaced: a bad file changes nothing.
    const roots = Object.entries(data).map(([name, json]) => {
      const namespace = normalizeNamespace(name);
      if (namespace === null) throw new TypeError(`"${name}" cannot name a database.`);
      return { namespace, root: resolve(parsePut("/", json).data, null, now) };
    });
    for (const { namespace, root } of roots) {
      replaceRoot(this.open(namespace), root, [{ path: [] }], now);
    }
  }
}
