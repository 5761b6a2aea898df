type Coded = { readonly code: string };

/** Beyond those that are asked for, so many times as many are kept: so few changes need a look at all. */
const SPARE = 2;

/**
 * The greatest of a set, kept up by what changes.
 *
 * @param figureOf what they are compared by; equal ones come by their code
 * @param most how many are asked for
 */
export class Greatest<T extends Coded> {
  readonly #members = new Map<string, T>();
  /** The greatest of all members, in order; nobody outside is greater than one of them. */
  #kept: T[] = [];

  constructor(
    private readonly figureOf: (item: T) => number,
    private readonly most: number,
  ) {}

  get size(): number {
    return this.#members.size;
  }

  /** Takes an item as it is now, in the place of the one of its code. */
  put(item: T): void {
    const before = this.#members.get(item.code);
    const wasWhole = this.#kept.length === this.#members.size;
    this.#members.set(item.code, item);
    const place = before === undefined ? -1 : this.#kept.indexOf(before);
    if (place >= 0 && this.#staysAt(place, item)) {
      this.#kept[place] = item;
      return;
    }
    if (place >= 0) this.#kept.splice(place, 1);
    const last = this.#kept.at(-1);
    // Below all that are kept it may be less than somebody outside, unless there is nobody.
    if (wasWhole || (last !== undefined && this.#isBefore(item, last))) this.#insert(item);
  }

  drop(code: string): void {
    const before = this.#members.get(code);
    if (before === undefined) return;
    this.#members.delete(code);
    const place = this.#kept.indexOf(before);
    if (place >= 0) this.#kept.splice(place, 1);
  }

  /** The greatest first. */
  list(): T[] {
    if (this.#kept.length < Math.min(this.most, this.#members.size)) {
      this.#kept = [];
      for (const item of this.#members.values()) this.#insert(item);
    }
    return this.#kept.slice(0, this.most);
  }

  #isBefore(a: T, b: T): boolean {
    const [mine, other] = [this.figureOf(a), this.figureOf(b)];
    return mine > other || (mine === other && a.code < b.code);
  }

  /** Whether an item that is another now keeps its place; the last one does not when it became less. */
  #staysAt(place: number, item: T): boolean {
    const kept = this.#kept;
    const [above, own, below] = [kept[place - 1], kept[place], kept[place + 1]];
    if (above !== undefined && !this.#isBefore(above, item)) return false;
    if (below !== undefined) return this.#isBefore(item, below);
    return own !== undefined && (kept.length === this.#members.size || !this.#isBefore(own, item));
  }

  #insert(item: T): void {
    const kept = this.#kept;
    const limit = this.most * SPARE;
    let place = kept.length;
    for (; place > 0; place -= 1) {
      const other = kept[place - 1];
      if (other === undefined || !this.#isBefore(item, other)) break;
    }
    if (place === limit) return;
    kept.splice(place, 0, item);
    if (kept.length > limit) kept.pop();
  }
}
