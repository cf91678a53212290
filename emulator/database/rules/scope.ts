import type { Snapshot } from "./snapshot.ts";

/** The `auth` variable of rules, from the user's ID token. */
export interface Auth {
  readonly uid: string;
  readonly provider: string | null;
  /** All claims of the token. */
  readonly token: Readonly<Record<string, unknown>>;
  /** Only administrators can add more. */
  readonly [name: string]: unknown;
}

/** The variables a rule is evaluated with. */
export interface Scope {
  readonly auth: Auth | null;
  /** Milliseconds since the Unix epoch, the same as the server timestamps of the same write. */
  readonly now: number;
  readonly root: Snapshot;
  readonly data: Snapshot;
  /** `null` in read rules, which cannot use it. */
  readonly newData: Snapshot | null;
  /** `null` in write rules, which cannot use it. */
  readonly query: QueryVariable | null;
  /** The key that each `$location` variable stands for. */
  readonly captures: ReadonlyMap<string, string>;
}

/** The `query` variable of rules. Members that the query does not use are null. */
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

/** An error at run time, such as accessing a member of null. It makes the rule false. */
export class RuleTypeError extends Error {}
