import { type ReadonlySignal, signal } from '@preact/signals-react';
import { type DayLine, type DayLinesAnswer, MAX_DAY_LINES } from '../../../../../market/bars/rules/bars.ts';
import { DAY_LINE_SLOTS, extendDayLine } from '../../../../../market/bars/rules/dayLine.ts';
import type { Stock } from '../../../../../market/rules/stock.ts';

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

/** The lines of the stocks that are in sight: asked for many at once, live by the stream. */
export type DayLines = {
  /** Counts with each answer and each failure: what shows a line reads it. */
  readonly version: ReadonlySignal<number>;
  /** A stock is in sight; the function that is given back says that it is not any more. */
  show(code: string): () => void;
  /** The line with what the stock shows now; null while it is not known. */
  lineOf(stock: Stock): KnownLine | null;
  /** Whether what was asked for last did not come; it is asked for again by itself. */
  hasFailed(): boolean;
  /** Asks for all in sight again: after a break, and in another session. */
  refresh(): void;
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

export function createDayLines({ fetch, after, quoteTime, elapsed }: DayLinesDeps): DayLines {
  const version = signal(0);
  const entries = new Map<string, Entry>();
  const inSight = new Map<string, number>();
  const asked = new Set<string>();
  let slots: Pick<DayLinesAnswer, 'from' | 'slotMinutes' | 'date'> | null = null;
  let cancelNext: (() => void) | null = null;
  let failures = 0;
  /** Answers to what was asked before a refresh are of no use. */
  let run = 0;

  const missing = (): string[] =>
    [...inSight.keys()].filter((code) => !entries.has(code) && !asked.has(code)).slice(0, MAX_DAY_LINES);

  function take(codes: readonly string[], answer: DayLinesAnswer): void {
    if (slots !== null && slots.date !== answer.date) entries.clear();
    slots = answer;
    const isGap = gapsIn(answer);
    for (const code of codes) {
      const line = answer.lines[code] ?? { previousClose: null, closes: [] };
      entries.set(code, { line, isGap, leftAt: inSight.has(code) ? null : elapsed() });
    }
    forgetOld();
    version.value += 1;
  }

  function forgetOld(): void {
    const now = elapsed();
    for (const [code, { leftAt }] of entries) {
      const isOld = leftAt !== null && (now - leftAt > KEEP_MS || entries.size > MAX_KEPT);
      if (isOld) entries.delete(code);
    }
  }

  async function ask(): Promise<void> {
    cancelNext = null;
    const codes = missing();
    if (codes.length === 0) return;
    const mine = run;
    for (const code of codes) asked.add(code);
    try {
      const answer = await fetch(codes);
      if (mine !== run) return;
      failures = 0;
      for (const code of codes) asked.delete(code);
      take(codes, answer);
      askSoon(GATHER_MS);
    } catch {
      // The cells say so; it is tried again until it works.
      if (mine !== run) return;
      for (const code of codes) asked.delete(code);
      askSoon(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? GATHER_MS);
      failures += 1;
      version.value += 1;
    }
  }

  function askSoon(ms: number): void {
    if (cancelNext !== null || missing().length === 0) return;
    cancelNext = after(ms, () => void ask());
  }

  /** What waits after a failure is of no use any more. */
  function waitNoMore(): void {
    cancelNext?.();
    cancelNext = null;
  }

  return {
    version,
    show(code) {
      inSight.set(code, (inSight.get(code) ?? 0) + 1);
      const entry = entries.get(code);
      if (entry?.leftAt != null && elapsed() - entry.leftAt > KEEP_MS) entries.delete(code);
      else if (entry) entry.leftAt = null;
      askSoon(GATHER_MS);
      return () => {
        const count = (inSight.get(code) ?? 1) - 1;
        if (count > 0) {
          inSight.set(code, count);
          return;
        }
        inSight.delete(code);
        if (inSight.size === 0) waitNoMore();
        const left = entries.get(code);
        if (left) left.leftAt = elapsed();
        forgetOld();
      };
    },
    lineOf(stock) {
      const entry = entries.get(stock.code);
      if (!entry || !slots) return null;
      entry.line = extendDayLine(entry.line, stock, slots, quoteTime());
      return entry;
    },
    hasFailed: () => failures > 0,
    refresh() {
      run += 1;
      asked.clear();
      entries.clear();
      failures = 0;
      waitNoMore();
      askSoon(GATHER_MS);
    },
  };
}
