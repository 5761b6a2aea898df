import { computed, type ReadonlySignal } from '@preact/signals-react';
import type { StreamMeta } from '#market/rules/stream.ts';
import { calendarEvents, hasEventWord, meta } from '#web/live/market.ts';

/** Of what comes with every tick only this matters here: the calendar is not drawn again with each. */
export const hasMarket: ReadonlySignal<boolean> = computed(() => meta.value !== null);
/** The source of the events; null when it is switched off, and when the server does not name it. */
export const source: ReadonlySignal<StreamMeta['calendar']> = computed(() => meta.value?.calendar ?? null);
/** The server says that it is switched off: a server that says nothing of it may have one. */
export const isSwitchedOff: ReadonlySignal<boolean> = computed(() => meta.value?.calendar === null);

/** It knows what is expected, not what came out. */
const WITHOUT_FIGURES = 'ForexFactory';

/** Whether a source brings actual figures. @param label its own, null when it is not named */
export const bringsFigures = (label: string | null): boolean => label !== WITHOUT_FIGURES;

export const sourceText = (label: string): string =>
  bringsFigures(label) ? label : `${label}: no actual figures`;

export type CalendarState =
  /** Events, or the certainty that there are none. */
  | 'known'
  /** They are on their way. */
  | 'loading'
  /** The source has given none and says why. */
  | 'failed';

/**
 * What the calendar can show.
 * @param isSettled the market has been there for a while: what the first part of it lacked would have come
 * @param isLate it has been there for so long that nothing more can be on its way
 */
export function calendarState(isSettled: boolean, isLate: boolean): CalendarState {
  if (!hasMarket.value) return 'loading';
  if (calendarEvents.value.size > 0) return 'known';
  if (isSwitchedOff.value) return 'known';
  const known = source.value;
  if (known !== null && !known.healthy) return 'failed';
  if (!isSettled) return 'loading';
  // A source that has no events at all is not told of.
  const isComing = known?.lastUpdate === null || (!hasEventWord.value && !isLate);
  return isComing ? 'loading' : 'known';
}
