import type { Stopwatch } from './clock.ts';
import type { FirstFailure } from './log.ts';

export type WriteBehindOptions<T> = {
  clock: Stopwatch;
  /** How many are written at once, so that no tick becomes long. */
  atOnce: number;
  /** Writes these in one transaction. @throws what the database throws: then they wait on */
  write(some: readonly T[]): void;
  /** Is told when writing fails, where that is not to be thrown. */
  failure?: FirstFailure;
};

/**
 * What was noted and is written behind those who need not wait for the disk: once it is due, a piece at each tick, the
 * oldest first. What could not be written waits on.
 */
export class WriteBehind<T> {
  readonly #options: WriteBehindOptions<T>;
  readonly #waiting = new Set<T>();
  /** By the stopwatch. */
  #dueAt = Number.POSITIVE_INFINITY;

  constructor(options: WriteBehindOptions<T>) {
    this.#options = options;
  }

  get size(): number {
    return this.#waiting.size;
  }

  waiting(): IteratorObject<T> {
    return this.#waiting.values();
  }

  /** @param inMs when it is due at the latest; what waits with it goes along */
  note(one: T, inMs = 0): void {
    this.#waiting.add(one);
    this.#dueAt = Math.min(this.#dueAt, this.#options.clock.monotonic() + inMs);
  }

  /** Of what was written otherwise, or is not to be written. */
  forget(one: T): void {
    this.#waiting.delete(one);
    if (this.#waiting.size === 0) this.#dueAt = Number.POSITIVE_INFINITY;
  }

  forgetAll(): void {
    for (const one of this.#waiting) this.forget(one);
  }

  /** The piece that is to be written now; for who writes it with rows of their own, and calls `written` after that. */
  due(): T[] {
    if (this.#options.clock.monotonic() < this.#dueAt) return [];
    return this.#waiting.values().take(this.#options.atOnce).toArray();
  }

  written(some: Iterable<T>): void {
    for (const one of some) this.forget(one);
    this.#options.failure?.ended();
  }

  /** To be called at each tick. */
  saveDue(): void {
    this.save(this.due());
  }

  /** To be called before the database closes. */
  saveAll(): void {
    this.save([...this.#waiting]);
  }

  save(some: readonly T[]): void {
    if (some.length === 0) return;
    const { write, failure } = this.#options;
    try {
      write(some);
    } catch (error) {
      if (!failure) throw error;
      failure.failed(error);
      return;
    }
    this.written(some);
  }
}
