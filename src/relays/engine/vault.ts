import type { Log } from '#lib/log.ts';
import { createSealFor, type Seal } from '#lib/secrets.ts';

/** Counts what was found in the message engine and can't be used; of each kind the log is told once. */
export class LeftOut {
  readonly #told = new Set<string>();
  #count = 0;

  constructor(private readonly log: Log) {}

  get count(): number {
    return this.#count;
  }

  /** @param place for instance `frame 123-4` */
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

/** Seals what goes through the message engine. @param secret shared by the primary and its relays */
export const createSeal = (secret: string): Seal =>
  createSealFor(secret, { salt: 'bellbird relay', info: 'message engine' });

/** Seals and opens what is kept in the message engine; what does not open, or can't be read, is counted and left out. */
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

  /** @returns null for what is left out */
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
