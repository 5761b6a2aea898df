import type { Stopwatch } from './clock.ts';
import type { FirstFailure } from './log.ts';

export type WriteBehindOptions<T> = {
  clock: Stopwatch;
  atOnce: number;
  write(some: readonly T[]): void;
  failure?: FirstFailure;
};

/** Queues items and writes them when due, some at each tick, oldest first. Failed items stay queued. */
export class WriteBehind<T> {
  readonly #options: WriteBehindOptions<T>;
  readonly #waiting = new Set<T>();
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

  /** @param inMs latest delay; it applies to the whole queue */
  note(one: T, inMs = 0): void {
    this.#waiting.add(one);
    this.#dueAt = Math.min(this.#dueAt, this.#options.clock.monotonic() + inMs);
  }

  forget(one: T): void {
    this.#waiting.delete(one);
    if (this.#waiting.size === 0) this.#dueAt = Number.POSITIVE_INFINITY;
  }

  forgetAll(): void {
    for (const one of this.#waiting) this.forget(one);
  }

  /** The items to write now, for callers that write them with their own rows and then call `written`. */
  due(): T[] {
    if (this.#options.clock.monotonic() < this.#dueAt) return [];
    return this.#waiting.values().take(this.#options.atOnce).toArray();
  }

  written(some: Iterable<T>): void {
    for (const one of some) this.forget(one);
    this.#options.failure?.ended();
  }

  saveDue(): void {
    this.save(this.due());
  }

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
