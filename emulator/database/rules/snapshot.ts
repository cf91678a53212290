import { splitKeys, type Path } from "../path.ts";
import { getAt, getChild, type DataNode } from "../tree.ts";

/** What `val()` returns for data with children, which rules read with `child()` only. */
const CHILDREN = Object.freeze({});

/**
 * The `data`, `newData` and `root` variables of rules.
 *
 * @see https://firebase.google.com/docs/reference/security/database#ruledatasnapshot
 */
export class Snapshot {
  readonly #root: DataNode | null;
  readonly #path: Path;
  readonly #reads: Path[] | undefined;

  constructor(root: DataNode | null, path: Path, reads?: Path[]) {
    this.#root = root;
    this.#path = path;
    this.#reads = reads;
  }

  /** The data, which a rule has now looked at: adds the path to `reads`. */
  get node(): DataNode | null {
    this.#reads?.push(this.#path);
    return getAt(this.#root, this.#path);
  }

  val(): unknown {
    if (this.node === null) return null;
    return this.node.kind === "leaf" ? this.node.value : CHILDREN;
  }

  child(pathText: string): Snapshot {
    return new Snapshot(this.#root, [...this.#path, ...splitKeys(pathText)], this.#reads);
  }

  /** Returns `null` above the root. */
  parent(): Snapshot | null {
    return this.#path.length === 0
      ? null
      : new Snapshot(this.#root, this.#path.slice(0, -1), this.#reads);
  }

  hasChild(pathText: string): boolean {
    return this.child(pathText).node !== null;
  }

  hasChildren(keys: readonly string[] = []): boolean {
    const { node } = this;
    return node?.kind === "branch" && keys.every((key) => getChild(node, key) !== null);
  }
}
