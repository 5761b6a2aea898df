import type { Message } from './message.ts';

type Entry = { seq: number; message: Message; at: number };

export type ResumeLimits = {
  bytes: number;
  ageMs: number;
};

/** Keeps the newest deltas, so that a client that was away briefly gets the missed ones. */
export class ReplayBuffer {
  #entries: Entry[] = [];
  #latest: number;

  /**
   * @param epoch differs for every run of the server, so that ids of an earlier run are unknown
   * @param first the number before the first delta
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

  /** Keeps a delta. `seq` grows by one; `now` is the stopwatch's. */
  add(seq: number, message: Message, now: number): void {
    this.#entries.push({ seq, message, at: now });
    this.#latest = seq;
    this.#trim(now);
  }

  /** Drops everything up to that delta, because no client can need it. */
  skipTo(seq: number): void {
    this.#entries = [];
    this.#latest = seq;
  }

  /** The deltas after `seq`, oldest first; null if one is gone. */
  after(seq: number): Message[] | null {
    if (seq === this.#latest) return [];
    const [oldest] = this.#entries;
    if (!oldest || seq > this.#latest || seq < oldest.seq - 1) return null;
    return this.#entries.slice(seq - oldest.seq + 1).map(({ message }) => message);
  }

  /** The number of a Last-Event-ID; null if it is not of this run. */
  read(id: string): number | null {
    const digits = id.startsWith(`${this.epoch}-`) ? id.slice(this.epoch.length + 1) : '';
    return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
  }

  /** Added up each time, because a message grows when a client needs its own block. */
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
