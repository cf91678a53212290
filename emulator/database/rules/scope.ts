import type { Snapshot } from "./snapshot.ts";

/** What the signed-in person's token says, as rules see it. */
export interface Auth {
  readonly uid: string;
  readonly provider: string | null;
  /** All claims of the token. */
  readonly token: Readonly<Record<string, unknown>>;
}

/** The variables a rule is evaluated with. */
export interface Scope {
  readonly auth: Auth | null;
  /** Ms since epoch; the very number that server timestamps of the same write resolve to. */
  readonly now: number;
  readonly root: Snapshot;
  readonly data: Snapshot;
  /** `null` in read rules, which cannot name it. */
  readonly newData: Snapshot | null;
  /** `null` in write rules, which cannot name it. */
  readonly query: QueryVariable | null;
  /** What each `$name` on the way down stands for. */
  readonly captures: ReadonlyMap<string, string>;
}

/** The members of `query`, each null when the query does not use it. */
export interface QueryVariable {
  readonly orderByKey: boolean;
  readonly orderByPriority: boolean;
  readonly orderByValue: boolean;
  readonly orderByChild: string | null;
  readonly startAt: unknown;
  readonly endAt: unknown;
  readonly equalTo: unknown;
  readonly limitToFirst: number | null;
  readonly limitToLast: number | null;
}

/** A mistake that only shows while a rule runs, such as asking null for a member: the rule counts as false. */
export class RuleTypeError extends Error {}
