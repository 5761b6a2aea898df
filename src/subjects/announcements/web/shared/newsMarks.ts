import { effect } from '@preact/signals-react';
import { marketNow, meta, stocks } from '#web/live/market.ts';
import { createRowMarks } from '#web/shared/rowMarks.ts';
import type { Stock } from '#market/rules/stock.ts';

/** How long the row of a stock with a new price-sensitive announcement is marked, ms. */
export const NEWS_MARKED_MS = 60_000;
/** Announcements that were missed during sleep or without a stream count as new for this time, ms. */
const LATE_MS = 600_000;

/** Known news of a stock, and the ids of all its price-sensitive announcements. */
type Seen = { news: Stock['news']; ids: ReadonlySet<string> };

type Moment = {
  /** Epoch ms by the market's clock. */
  now: number;
  /** Speed of the market's clock; 1 is real time. */
  speed: number;
};

const NO_IDS: ReadonlySet<string> = new Set();

/** Price-sensitive announcements by id with their release time, epoch ms; NaN if unknown. */
function sensitiveOf(news: Stock['news']): Map<string, number> {
  const found = new Map<string, number>();
  for (const day of Object.values(news ?? {})) {
    for (const [id, { isPriceSensitive, time }] of Object.entries(day.announcements)) {
      if (isPriceSensitive) found.set(id, Date.parse(time));
    }
  }
  return found;
}

/**
 * Finds stocks with new price-sensitive announcements. Those in the first call are old. Each counts once, even if
 * stocks are sent again after a reconnect.
 */
export function createNewSensitive() {
  const seen = new Map<string, Seen>();
  let openedAt: number | null = null;

  /** Remaining time of a mark, ms; 0 or less for no mark. */
  function markMs(releasedAt: number, isKnown: boolean, { now, speed }: Moment): number {
    const ageMs = (now - releasedAt) / (speed > 0 ? speed : 1);
    if (isKnown) return ageMs > LATE_MS ? 0 : NEWS_MARKED_MS;
    // The stock is in this window for the first time.
    return releasedAt >= (openedAt ?? now) ? NEWS_MARKED_MS - ageMs : 0;
  }

  return {
    /** @returns the remaining time of each mark, ms, by code */
    update(stocks: ReadonlyMap<string, Stock>, moment: Moment): Map<string, number> {
      const isFirst = openedAt === null;
      openedAt ??= moment.now;
      const marks = new Map<string, number>();
      for (const [code, { news }] of stocks) {
        const before = seen.get(code);
        if (before && before.news === news) continue;
        const released = sensitiveOf(news);
        const known = before?.ids ?? NO_IDS;
        for (const [id, at] of released) {
          if (isFirst || known.has(id)) continue;
          const forMs = markMs(at, before !== undefined, moment);
          if (forMs > 0) marks.set(code, Math.max(forMs, marks.get(code) ?? 0));
        }
        seen.set(code, { news, ids: new Set([...known, ...released.keys()]) });
      }
      return marks;
    },
  };
}

/** A label over the end of the name, which needs no space; on phones it is below the code. */
const NEWS_MARKS = createRowMarks({
  at: ' .name-cell::after',
  mark: `
    content: '◆ New: price sensitive' / 'New price-sensitive announcement';
    position: absolute;
    top: 50%;
    right: 0;
    translate: 0 -50%;
    padding: 0 6px;
    border: 1px solid var(--warn);
    border-radius: var(--radius);
    background: var(--warn-soft);
    color: var(--warn);
    font-size: 11px;
    font-weight: 600;
    line-height: 16px;
    pointer-events: none;
  `,
  onPhone: `
    content: '◆ New: sensitive' / 'New price-sensitive announcement';
    top: auto;
    right: auto;
    bottom: 1px;
    left: 0;
    translate: none;
    padding: 0;
    border: 0;
    font-size: 9px;
    font-weight: 400;
    line-height: 10px;
  `,
});

/** Marks rows. Returns the stop function, which removes the marks. */
export function startNewsMarks(): () => void {
  const newSensitive = createNewSensitive();
  const stop = effect(() => {
    const shown = stocks.value;
    const known = meta.peek();
    if (known === null || shown.size === 0) return;
    const marks = newSensitive.update(shown, { now: marketNow(), speed: known.clockSpeed });
    if (marks.size > 0) NEWS_MARKS.mark(marks);
  });
  return () => {
    stop();
    NEWS_MARKS.clear();
  };
}
