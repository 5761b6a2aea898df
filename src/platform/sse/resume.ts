import type { Message } from './message.ts';

type Entry = { seq: number; message: Message; at: number };

export type ResumeLimits = {
  /** Bytes in memory of the deltas kept. */
  bytes: number;
  /** How long a delta is kept, ms. */
  ageMs: number;
};

/** Remembers the newest deltas, so that a client that was away for moments gets just what it missed. */
export class ResumeRing {
  #entries: Entry[] = [];
  #latest: number;

  /**
   * @param epoch differs for every run of the server: ids of an earlier run mean nothing to this one
   * @param first the number after which it begins
   */
  constructor(
    private readonly epoch: string,
    private readonly limits: ResumeLimits,
    first = 0,
  ) {
    this.#latest = first;
  }

  /** `${epoch}-${seq}`. */
  idOf(seq: number): string {
    return `${this.epoch}-${seq}`;
  }

  /** Keeps a delta; `seq` counts up by one, `now` is the stopwatch's reading. */
  add(seq: number, message: Message, now: number): void {
    this.#entries.push({ seq, message, at: now });
    this.#latest = seq;
    this.#trim(now);
  }

  /** Keeps nothing up to that delta: nobody is left who could ask for it. */
  skipTo(seq: number): void {
    this.#entries = [];
    this.#latest = seq;
  }

  /** The deltas after `seq`, oldest first; null when one of them is gone. */
  after(seq: number): Message[] | null {
    if (seq === this.#latest) return [];
    const [oldest] = this.#entries;
    if (!oldest || seq > this.#latest || seq < oldest.seq - 1) return null;
    return this.#entries.slice(seq - oldest.seq + 1).map(({ message }) => message);
  }

  /** Which delta a Last-Event-ID names; null when it is none of this run's. */
  read(id: string): number | null {
    const digits = id.startsWith(`${this.epoch}-`) ? id.slice(this.epoch.length + 1) : '';
    return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
  }

  /** Added up again each time, as a message grows when a client needs a block of its own. */
  bytes(): number {
    return this.#entries.reduce((sum, { message }) => sum + message.bytes(), 0);
  }

  #trim(now: number): void {
    let bytes = this.bytes();
    let drop = 0;
    for (const { message, at } of this.#entries) {
      if (bytes <= this.limits.bytes && now - at <= this.limits.ageMs) break;
      bytes -= message.bytes();
      drop += 1;
    }
    if (drop > 0) this.#entries = this.#entries.slice(drop);
  }
}
