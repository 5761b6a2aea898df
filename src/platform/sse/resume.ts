import type { Message } from './message.ts';

type Entry = { seq: number; message: Message; at: number };

export type ResumeLimits = {
  /** Bytes in memory of the deltas kept. */
  bytes: number;
  /** How long a delta is kept, ms. */
  ageMs: number;
};

export type ResumeRing = {
  /** `${epoch}-${seq}`. */
  idOf(seq: number): string;
  /** Keeps a delta; `seq` counts up by one, `now` is the stopwatch's reading. */
  add(seq: number, message: Message, now: number): void;
  /** Keeps nothing up to that delta: nobody is left who could ask for it. */
  skipTo(seq: number): void;
  /** The deltas after `seq`, oldest first; null when one of them is gone. */
  after(seq: number): Message[] | null;
  /** Which delta a Last-Event-ID names; null when it is none of this run's. */
  read(id: string): number | null;
  bytes(): number;
};

/**
 * Remembers the newest deltas, so that a client that was away for moments gets just what it missed.
 * @param epoch differs for every run of the server: ids of an earlier run mean nothing to this one
 * @param first the number after which it begins
 */
export function createResumeRing(epoch: string, limits: ResumeLimits, first = 0): ResumeRing {
  let entries: Entry[] = [];
  let latest = first;

  /** Added up again each time, as a message grows when a client needs a block of its own. */
  const held = (): number => entries.reduce((sum, { message }) => sum + message.bytes(), 0);

  function trim(now: number): void {
    let bytes = held();
    let drop = 0;
    for (const { message, at } of entries) {
      if (bytes <= limits.bytes && now - at <= limits.ageMs) break;
      bytes -= message.bytes();
      drop += 1;
    }
    if (drop > 0) entries = entries.slice(drop);
  }

  return {
    idOf: (seq) => `${epoch}-${seq}`,
    add(seq, message, now) {
      entries.push({ seq, message, at: now });
      latest = seq;
      trim(now);
    },
    skipTo(seq) {
      entries = [];
      latest = seq;
    },
    after(seq) {
      if (seq === latest) return [];
      const [oldest] = entries;
      if (!oldest || seq > latest || seq < oldest.seq - 1) return null;
      return entries.slice(seq - oldest.seq + 1).map(({ message }) => message);
    },
    read(id) {
      const digits = id.startsWith(`${epoch}-`) ? id.slice(epoch.length + 1) : '';
      return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
    },
    bytes: held,
  };
}
