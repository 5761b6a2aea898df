import type { Log } from '#lib/log.ts';
import { createSealFor, type Seal } from '#lib/secrets.ts';

/** Counts unusable values in Redis and logs each kind once. */
export class LeftOut {
  readonly #told = new Set<string>();
  #count = 0;

  constructor(private readonly log: Log) {}

  get count(): number {
    return this.#count;
  }

  unsealed(place: string): void {
    this.#add(
      'Something in the message engine was not sealed with BELLBIRD_RELAY_SECRET and is left out: another secret is set elsewhere, or somebody else writes into it',
      place,
    );
  }

  unreadable(place: string): void {
    this.#add('Something in the message engine is of another version of Bellbird and is left out', place);
  }

  #add(message: string, place: string): void {
    this.#count += 1;
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.log.warn(message, { place });
  }
}

export const createSeal = (secret: string): Seal =>
  createSealFor(secret, { salt: 'bellbird relay', info: 'message engine' });

/** Seals and opens values in Redis. Values that can't be opened or read are counted and skipped. */
export class Vault {
  readonly #seal;

  constructor(
    secret: string,
    private readonly leftOut: LeftOut,
  ) {
    this.#seal = createSeal(secret);
  }

  close(place: string, bytes: Uint8Array): string {
    return this.#seal.seal(place, bytes);
  }

  open<T>(place: string, sealed: string, read: (bytes: Uint8Array) => T | null): T | null {
    const bytes = this.#seal.open(place, sealed);
    if (!bytes) {
      this.leftOut.unsealed(place);
      return null;
    }
    const value = read(bytes);
    if (value === null) this.leftOut.unreadable(place);
    return value;
  }
}
