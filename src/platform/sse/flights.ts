import type { Client } from './client.ts';
import type { OpeningTurns } from './openingTurns.ts';

/**
 * Openings that connections have not taken whole. Each costs memory until it is: a part of it that the connection has
 * copied, and the snapshot that it is from.
 */
export class Flights {
  readonly #byAddress = new Map<string, number>();
  readonly #queue = new Set<{ client: Client; run: () => void }>();
  #all = 0;
  #isPlanned = false;

  /** @param limits how many at once, and how many of one address; @param turns in which those begin that waited */
  constructor(
    private readonly limits: { all: number; perAddress: number },
    private readonly turns: OpeningTurns,
  ) {}

  /** Whether there is room for one more of a client's address. */
  hasRoom({ address }: Client): boolean {
    const { all, perAddress } = this.limits;
    return this.#all < all && (address === null || (this.#byAddress.get(address) ?? 0) < perAddress);
  }

  /** Runs when there is room, in the order of asking; the result gives up. */
  whenRoom(client: Client, run: () => void): () => void {
    const entry = { client, run };
    this.#queue.add(entry);
    return () => void this.#queue.delete(entry);
  }

  /** Takes a place. @returns what gives it back; safe to call twice */
  take({ address }: Client): () => void {
    let isTaken = true;
    this.#count(address, 1);
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#count(address, -1);
      this.#plan();
    };
  }

  /** Openings on their way, and those that wait. */
  figures(): { inFlight: number; waitingToOpen: number } {
    return { inFlight: this.#all, waitingToOpen: this.#queue.size };
  }

  #count(address: string | null, change: number): void {
    this.#all += change;
    if (address === null) return;
    const own = (this.#byAddress.get(address) ?? 0) + change;
    if (own > 0) this.#byAddress.set(address, own);
    else this.#byAddress.delete(address);
  }

  #plan(): void {
    if (this.#isPlanned || this.#queue.size === 0) return;
    this.#isPlanned = true;
    this.turns.add(() => this.#goOn());
  }

  /** One at a time: whether it takes a place is known only afterwards. */
  #goOn(): void {
    this.#isPlanned = false;
    if (this.#all >= this.limits.all) return;
    for (const entry of this.#queue) {
      if (!this.hasRoom(entry.client)) continue;
      this.#queue.delete(entry);
      entry.run();
      this.#plan();
      return;
    }
  }
}
