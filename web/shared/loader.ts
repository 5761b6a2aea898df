import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { messageOf } from '../api/client.ts';
import { onReconnect } from './onReconnect.ts';

export type LoadState<T> = {
  /** What was loaded last; null until something was. A load that fails leaves it. */
  data: T | null;
  /** Why the last load failed; null when it did not. */
  error: string | null;
  /** What failed then; null when nothing did. */
  problem: unknown;
  isLoading: boolean;
  /** What was asked for last, and what `data` is of, where a loader loads now this and now that. */
  asked: unknown;
  of: unknown;
};

/** @param signal ends a request whose answer nobody waits for any more */
export type Fetch<T> = (signal: AbortSignal) => Promise<T>;

/** The sentence for a failure that gives none; or what says it in words of its own. */
export type Failed = string | ((problem: unknown) => string);

const NOTHING = { data: null, error: null, problem: null, isLoading: false, asked: null, of: null };

/**
 * Loads something into a signal, and after a failure again when the network or the server is back. When loads overlap, the
 * one that was started last wins. For a component there is `useLoaded`.
 */
export class Loader<T> {
  readonly #state = signal<LoadState<T>>(NOTHING);
  readonly state: ReadonlySignal<LoadState<T>> = this.#state;
  readonly data: ReadonlySignal<T | null> = computed(() => this.#state.value.data);
  /** Why the last load failed; null when it did not, and while the next one is under way. */
  readonly error: ReadonlySignal<string | null> = computed(() =>
    this.#state.value.isLoading ? null : this.#state.value.error,
  );
  readonly #fetch: Fetch<T>;
  readonly #failed: Failed;
  #running: AbortController | null = null;
  #ended: Promise<void> | null = null;
  #isWaiting = false;

  constructor(fetch: Fetch<T>, failed: Failed) {
    this.#fetch = fetch;
    this.#failed = failed;
  }

  /** Resolves when its answer has arrived, or that of a later load which replaced it. */
  readonly load = (asked: unknown = null): Promise<void> => {
    this.stop();
    const own = new AbortController();
    this.#running = own;
    this.#state.value = { ...this.#state.peek(), isLoading: true, asked };
    this.#ended = this.#run(own);
    return this.#ended;
  };

  async #run(own: AbortController): Promise<void> {
    try {
      const data = await this.#fetch(own.signal);
      if (own === this.#running) return this.set(data);
    } catch (problem) {
      if (own === this.#running) return this.#fail(problem);
    }
    await this.#ended;
  }

  #fail(problem: unknown): void {
    const failed = this.#failed;
    const error = typeof failed === 'string' ? messageOf(problem, failed) : failed(problem);
    console.warn('Not loaded:', error, problem);
    this.#running = this.#ended = null;
    this.#isWaiting = true;
    this.#state.value = { ...this.#state.peek(), error, problem, isLoading: false };
    onReconnect(this.#loadMissing);
  }

  // The same function each time: a load that fails again right after a return is not tried again and again.
  readonly #loadMissing = (): void => {
    if (this.#isWaiting) void this.load(this.#state.peek().asked);
  };

  /** Puts something in the place of what was loaded, such as a change that the server confirmed. */
  readonly set = (data: T): void => {
    // What is still on its way is older.
    this.stop();
    const { asked } = this.#state.peek();
    this.#state.value = { ...NOTHING, data, asked, of: asked };
  };

  /** Drops the answer that is on its way. What failed is not loaded again by itself. */
  readonly stop = (): void => {
    this.#running?.abort();
    this.#running = this.#ended = null;
    this.#isWaiting = false;
  };

  /** Forgets what was loaded; why the last load failed stays. */
  readonly forgetData = (): void => {
    this.#state.value = { ...this.#state.peek(), data: null, of: null };
  };

  /** Forgets everything, as when the session ends. */
  readonly reset = (): void => {
    this.stop();
    this.#state.value = NOTHING;
  };
}
