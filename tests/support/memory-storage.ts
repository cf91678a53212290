/** A browser's storage, in memory. */
export class MemoryStorage implements Storage {
  [name: string]: unknown;
  readonly #items = new Map<string, string>();
  get length() {
    return this.#items.size;
  }
  clear() {
    this.#items.clear();
  }
  getItem(key: string) {
    return this.#items.get(key) ?? null;
  }
  key(index: number) {
    return [...this.#items.keys()][index] ?? null;
  }
  removeItem(key: string) {
    this.#items.delete(key);
    delete this[key];
  }
  setItem(key: string, value: string) {
    this.#items.set(key, value);
    this[key] = value;
  }
}

/** A storage that can be full. A browser's storage holds about five million characters. */
export class FullStorage extends MemoryStorage {
  isFull = false;
  override setItem(key: string, value: string) {
    if (this.isFull && value.length > (this.getItem(key)?.length ?? 0)) {
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    }
    super.setItem(key, value);
  }
}
