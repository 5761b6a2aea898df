import { type ReadonlySignal, signal } from '@preact/signals-react';
import { type DayLine, type DayLinesAnswer, MAX_DAY_LINES } from '#market/bars/rules/bars.ts';
import { DAY_LINE_SLOTS, extendDayLine } from '#market/bars/rules/dayLine.ts';
import type { Stock } from '#market/rules/stock.ts';

/** What is known of the day's lines; a gap is a slot in which prices were not seen. */
export type KnownLine = { line: DayLine; isGap: (slot: number) => boolean };

export type DayLinesDeps = {
  fetch: (codes: readonly string[]) => Promise<DayLinesAnswer>;
  after: (ms: number, run: () => void) => () => void;
  /** The moment of the quotes that come now, epoch ms on the market's clock. */
  quoteTime: () => number;
  /** ms of a clock that is never set. */
  elapsed: () => number;
};

/** Rows come many at once, and more while somebody scrolls. */
const GATHER_MS = 120;
/** A line that was out of sight for longer has missed too much. */
const KEEP_MS = 60_000;
const MAX_KEPT = 400;
const RETRY_MS = [5000, 15_000, 60_000] as const;

type Entry = KnownLine & { leftAt: number | null };

function gapsIn({ from, slotMinutes, unknown }: DayLinesAnswer): (slot: number) => boolean {
  const slotMs = slotMinutes * 60_000;
  const gaps = new Set<number>();
  for (const span of unknown) {
    const first = Math.max(0, Math.floor((span.from - from) / slotMs));
    const last = Math.min(DAY_LINE_SLOTS, Math.ceil((span.until - from) / slotMs));
    for (let slot = first; slot < last; slot += 1) gaps.add(slot);
  }
  return (slot) => gaps.has(slot);
}

/** The lines of the stocks that are in sight: asked for many at once, live by the stream. */
export class DayLines {
  readonly #deps: DayLinesDeps;
  readonly #version = signal(0);
  /** Counts with each answer and each failure: what shows a line reads it. */
  readonly version: ReadonlySignal<number> = this.#version;
  readonly #entries = new Map<string, Entry>();
  readonly #inSight = new Map<string, number>();
  readonly #asked = new Set<string>();
  #slots: Pick<DayLinesAnswer, 'from' | 'slotMinutes' | 'date'> | null = null;
  #cancelNext: (() => void) | null = null;
  #failures = 0;
  /** Answers to what was asked before a refresh are of no use. */
  #run = 0;

  constructor(deps: DayLinesDeps) {
    this.#deps = deps;
  }

  /** A stock is in sight; the function that is given back says that it is not any more. */
  show(code: string): () => void {
    this.#inSight.set(code, (this.#inSight.get(code) ?? 0) + 1);
    const entry = this.#entries.get(code);
    if (entry?.leftAt != null && this.#deps.elapsed() - entry.leftAt > KEEP_MS) this.#entries.delete(code);
    else if (entry) entry.leftAt = null;
    this.#askSoon(GATHER_MS);
    return () => this.#leave(code);
  }

  /** The line with what the stock shows now; null while it is not known. */
  lineOf(stock: Stock): KnownLine | null {
    const entry = this.#entries.get(stock.code);
    if (!entry || !this.#slots) return null;
    entry.line = extendDayLine(entry.line, stock, this.#slots, this.#deps.quoteTime());
    return entry;
  }

  /** Whether what was asked for last did not come; it is asked for again by itself. */
  hasFailed(): boolean {
    return this.#failures > 0;
  }

  /** Asks for all in sight again: after a break, and in another session. */
  readonly refresh = (): void => {
    this.#run += 1;
    this.#asked.clear();
    this.#entries.clear();
    this.#failures = 0;
    this.#waitNoMore();
    this.#askSoon(GATHER_MS);
  };

  #leave(code: string): void {
    const count = (this.#inSight.get(code) ?? 1) - 1;
    if (count > 0) {
      this.#inSight.set(code, count);
      return;
    }
    this.#inSight.delete(code);
    if (this.#inSight.size === 0) this.#waitNoMore();
    const left = this.#entries.get(code);
    if (left) left.leftAt = this.#deps.elapsed();
    this.#forgetOld();
  }

  #missing(): string[] {
    return [...this.#inSight.keys()]
      .filter((code) => !this.#entries.has(code) && !this.#asked.has(code))
      .slice(0, MAX_DAY_LINES);
  }

  #take(codes: readonly string[], answer: DayLinesAnswer): void {
    if (this.#slots !== null && this.#slots.date !== answer.date) this.#entries.clear();
    this.#slots = answer;
    const isGap = gapsIn(answer);
    for (const code of codes) {
      const line = answer.lines[code] ?? { previousClose: null, closes: [] };
      const leftAt = this.#inSight.has(code) ? null : this.#deps.elapsed();
      this.#entries.set(code, { line, isGap, leftAt });
    }
    this.#forgetOld();
    this.#version.value += 1;
  }

  #forgetOld(): void {
    const now = this.#deps.elapsed();
    for (const [code, { leftAt }] of this.#entries) {
      const isOld = leftAt !== null && (now - leftAt > KEEP_MS || this.#entries.size > MAX_KEPT);
      if (isOld) this.#entries.delete(code);
    }
  }

  async #ask(): Promise<void> {
    this.#cancelNext = null;
    const codes = this.#missing();
    if (codes.length === 0) return;
    const mine = this.#run;
    for (const code of codes) this.#asked.add(code);
    try {
      const answer = await this.#deps.fetch(codes);
      if (mine !== this.#run) return;
      this.#failures = 0;
      for (const code of codes) this.#asked.delete(code);
      this.#take(codes, answer);
      this.#askSoon(GATHER_MS);
    } catch {
      // The cells say so; it is tried again until it works.
      if (mine !== this.#run) return;
      for (const code of codes) this.#asked.delete(code);
      this.#askSoon(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? GATHER_MS);
      this.#failures += 1;
      this.#version.value += 1;
    }
  }

  #askSoon(ms: number): void {
    if (this.#cancelNext !== null || this.#missing().length === 0) return;
    this.#cancelNext = this.#deps.after(ms, () => void this.#ask());
  }

  /** What waits after a failure is of no use any more. */
  #waitNoMore(): void {
    this.#cancelNext?.();
    this.#cancelNext = null;
  }
}
