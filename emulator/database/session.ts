import { ANONYMOUS, type Identity } from "./identity.ts";
import type { PendingWrites } from "./on-disconnect-tree.ts";
import { formatPath, type Path } from "./path.ts";
import type { Query } from "./query.ts";
import type { DataNode } from "./tree.ts";

/** A message from server to client; a data message without `r` is a push. */
type ServerMessage =
  | { readonly t: "c"; readonly d: { readonly t: string; readonly d: unknown } }
  | { readonly t: "d"; readonly d: Response | Push };

interface Response {
  readonly r: number;
  /** Never left out: the SDK throws without it. */
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
  readonly path: Path;
  readonly query: Query;
  /** The query exactly as it came, which is how a revocation must name it. */
  readonly rawQuery: unknown;
  /** Present on filtered listens only; every push to them repeats it. */
  readonly tag: number | undefined;
  /** What the client has been told so far. */
  known: DataNode | null;
}

/** What the server remembers of one connection. It ends with the socket. */
export interface Session {
  readonly id: string;
  identity: Identity;
  /** By path and tag. */
  readonly listens: Map<string, Listen>;
  onDisconnect: PendingWrites;
  readonly send: (message: ServerMessage) => void;
  /** Drops the socket, for a session that has been replaced. */
  readonly drop: () => void;
}

/** Returns a session that has asked for nothing yet. */
export function createSession(id: string, send: Session["send"], drop: Session["drop"]): Session {
  return { id, identity: ANONYMOUS, listens: new Map(), onDisconnect: [], send, drop };
}

/** Returns the name of a listen within its session. */
export function listenKey(path: Path, tag: number | undefined): string {
  return `${tag ?? ""}/${formatPath(path)}`;
}

/** Sends a message that answers no request. */
export function push(session: Session, a: Push["a"], b: Push["b"]): void {
  session.send({ t: "d", d: { a, b } });
}
