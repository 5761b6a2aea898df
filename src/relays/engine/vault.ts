import type { LeftOut } from './leftOut.ts';
import { createSealFor, type Seal } from '#lib/secrets.ts';

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
