import { effect } from '@preact/signals-react';
import { marketNow, meta, stocks } from '#web/live/market.ts';
import { createRowMarks } from '#web/shared/rowMarks.ts';
import { createNewSensitive } from './newSensitive.ts';

/**
 * A label over the end of the name, which takes no room and no pointer; on a phone below the code, where there is no other
 * place.
 */
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

/**
 * Marks the row of each stock that gets a price-sensitive announcement, for a minute, in every table of this window.
 * Returns the stop function, which takes the marks away.
 */
export function startNewsMarks(): () => void {
  const newSensitive = createNewSensitive();
  const stop = effect(() => {
    const shown = stocks.value;
    const known = meta.peek();
    if (known === null || shown.size === 0) return;
    const marks = newSensitive.look(shown, { now: marketNow(), speed: known.clockSpeed });
    if (marks.size > 0) NEWS_MARKS.mark(marks);
  });
  return () => {
    stop();
    NEWS_MARKS.clear();
  };
}
