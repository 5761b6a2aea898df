import type { Log } from '#lib/log.ts';

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
