import type { Journal } from "./journal.ts";
import type { Ruleset } from "./rules/parse-rules.ts";
import { PathMap } from "./path-map.ts";
import type { Listen, Session } from "./session.ts";
import type { DataNode } from "./tree.ts";

/** A database: its data, its rules and its connected sessions. */
export interface Database {
  readonly namespace: string;
  root: DataNode | null;
  /** Increases with every change to the data. */
  revision: number;
  rules: Ruleset;
  /** Absent when the data is only in memory. */
  readonly journal: Journal | undefined;
  /** By session id. */
  readonly sessions: Map<string, Session>;
  /** The listens of all sessions, by path. */
  readonly listens: PathMap<Listen>;
  /** The same listens, by the paths that their read rules have looked at. */
  readonly ruleReads: PathMap<Listen>;
}

export function createDatabase(
  namespace: string,
  rules: Ruleset,
  journal: Journal | undefined,
): Database {
  return {
    namespace,
    root: null,
    revision: 0,
    rules,
    journal,
    sessions: new Map(),
    listens: new PathMap(),
    ruleReads: new PathMap(),
  };
}
