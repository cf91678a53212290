import { ANONYMOUS, type Identity } from "./identity.ts";
import type { Range } from "./order.ts";
import type { PendingWrites } from "./pending-writes.ts";
import { formatPath, type Path } from "./path.ts";
import type { Query } from "./query.ts";

/** A message from server to client. A data message without `r` is a push. */
type ServerMessage =
  | { readonly t: "c"; readonly d: { readonly t: string; readonly d: unknown } }
  | { readonly t: "d"; readonly d: Response | Push };

interface Response {
  readonly r: number;
  /** Always present: the SDK throws without it. */
  readonly b: { readonly s: string; readonly d: unknown };
}

interface Push {
  readonly a: "d" | "m" | "c";
  readonly b: {
    readonly p: string;
    readonly d?: unknown;
    readonly t?: number;
    readonly q?: unknown;
  };
}

export interface Listen {
  readonly session: Session;
  readonly path: Path;
  readonly query: Query;
  /** The query exactly as received, because a revocation must repeat it. */
  readonly rawQuery: unknown;
  /** Only on filtered listens. Every push to them repeats it. */
  readonly tag: number | undefined;
  /** The part of the children, in the query's order, that the client has. `null` when it has the whole node. */
  range: Range | null;
  /** What the read rules have looked at. Whether they allow the listen can only change with that. */
  ruleReads: Path[];
}

/** The state of one connection. It ends with the socket. */
export interface Session {
  readonly id: string;
  identity: Identity;
  /** By path and tag. */
  readonly listens: Map<string, Listen>;
  onDisconnect: PendingWrites;
  readonly send: (message: ServerMessage) => void;
  /** Terminates the socket of a session that has been replaced. */
  readonly terminate: () => void;
}

export function createSession(
  id: string,
  send: Session["send"],
  terminate: Session["terminate"],
): Session {
  return { id, identity: ANONYMOUS, listens: new Map(), onDisconnect: [], send, terminate };
}

/** Returns the key of a listen in its session. */
export function toListenKey(path: Path, tag: number | undefined): string {
  return `${tag ?? ""}/${formatPath(path)}`;
}

/** Sends a message that is not a response. */
export function sendPush(session: Session, a: Push["a"], b: Push["b"]): void {
  session.send({ t: "d", d: { a, b } });
}
