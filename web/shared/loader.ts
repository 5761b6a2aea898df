import { computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { messageOf } from '../api/client.ts';
import { onReconnect } from './onReconnect.ts';

export type LoadState<T> = {
  /** The last result; it stays if a load fails. */
  data: T | null;
  error: string | null;
  problem: unknown;
  isLoading: boolean;
  /** The last request, and the request of `data`, for a loader whose request changes. */
  asked: unknown;
  of: unknown;
};

/** @param signal aborts the request when it is no longer needed */
export type Fetch<T> = (signal: AbortSignal) => Promise<T>;

/** The message for a failure without one, or a function that returns it. */
export type Failed = string | ((problem: unknown) => string);

const NOTHING = { data: null, error: null, problem: null, isLoading: false, asked: null, of: null };

/**
 * Loads into a signal, and retries after a failure when the network or server returns. If loads overlap, the last one
 * wins. Components use `useLoaded`.
 */
export class Loader<T> {
  readonly #state = signal<LoadState<T>>(NOTHING);
  readonly state: ReadonlySignal<LoadState<T>> = this.#state;
  readonly data: ReadonlySignal<T | null> = computed(() => this.#state.value.data);
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

  /** Resolves when the answer of this load, or of a later one, has arrived. */
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

  // Always the same function, so that a load that fails right after a return is not repeated endlessly.
  readonly #loadMissing = (): void => {
    if (this.#isWaiting) void this.load(this.#state.peek().asked);
  };

  /** Replaces the data, for example after a change that the server confirmed. */
  readonly set = (data: T): void => {
    // A pending answer would be older.
    this.stop();
    const { asked } = this.#state.peek();
    this.#state.value = { ...NOTHING, data, asked, of: asked };
  };

  /** Drops a pending answer and cancels retries. */
  readonly stop = (): void => {
    this.#running?.abort();
    this.#running = this.#ended = null;
    this.#isWaiting = false;
  };

  readonly forgetData = (): void => {
    this.#state.value = { ...this.#state.peek(), data: null, of: null };
  };

  readonly reset = (): void => {
    this.stop();
    this.#state.value = NOTHING;
  };
}
