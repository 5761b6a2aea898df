import { type ReadonlySignal, signal, computed } from '@preact/signals-react';
import { isTimeZone, type CalendarDay, compareEvents } from '#market/calendar/rules/days.ts';
import { isRecord } from '#lib/json.ts';
import { readText } from '#lib/read.ts';
import { onStored, readStored, writeStored } from '#web/shared/storage.ts';
import { localZone } from './timeZones.ts';
import type { StreamMeta } from '#market/rules/stream.ts';
import type { CalendarRow } from './companyEvents.ts';
import { calendarEvents, hasEventWord, meta } from '#web/live/market.ts';

/** Derived from `meta`, so that the calendar does not render with every tick. */
export const hasMarket: ReadonlySignal<boolean> = computed(() => meta.value !== null);
/** Null if the calendar is switched off, or the server does not name the source. */
export const source: ReadonlySignal<StreamMeta['calendar']> = computed(() => meta.value?.calendar ?? null);
/** Only an explicit null means off: the value is undefined if the server omits it. */
export const isSwitchedOff: ReadonlySignal<boolean> = computed(() => meta.value?.calendar === null);

/** A source that has expected figures, but no actual ones. */
const WITHOUT_FIGURES = 'ForexFactory';

/** Whether a source has actual figures. @param label null if the source is not named */
export const bringsFigures = (label: string | null): boolean => label !== WITHOUT_FIGURES;

export const sourceText = (label: string): string =>
  bringsFigures(label) ? label : `${label}: no actual figures`;

export type CalendarState =
  /** There are events, or it is certain that there are none. */
  | 'known'
  | 'loading'
  /** The source has no events and reports an error. */
  | 'failed';

/**
 * @param isSettled the market arrived some time ago, so that the second part has arrived too
 * @param isLate the market arrived so long ago that nothing more can follow
 */
export function calendarState(isSettled: boolean, isLate: boolean): CalendarState {
  if (!hasMarket.value) return 'loading';
  if (calendarEvents.value.size > 0) return 'known';
  if (isSwitchedOff.value) return 'known';
  const known = source.value;
  if (known !== null && !known.healthy) return 'failed';
  if (!isSettled) return 'loading';
  // A source that has no events at all sends no message.
  const isComing = known?.lastUpdate === null || (!hasEventWord.value && !isLate);
  return isComing ? 'loading' : 'known';
}

/** Choices of specification 2.6. */
export const CURRENCIES = ['ALL', 'USD', 'EUR', 'GBP', 'JPY', 'AUD', 'NZD', 'CAD'] as const;
export const IMPACT_CHOICES = ['ALL', 'HIGH', 'MEDIUM', 'LOW'] as const;

export type Choices = {
  /** An IANA name. */
  zone: string;
  currency: (typeof CURRENCIES)[number];
  impact: (typeof IMPACT_CHOICES)[number];
  /** Whether halts, raisings and ex-dividend dates of companies are shown. */
  companies: boolean;
  /** The stock whose price moves after past releases are shown; null for none. */
  stock: string | null;
};

const KEY = 'bellbird.calendar';

function accept(value: unknown): Choices | null {
  if (!isRecord(value)) return null;
  const zone = readText(value.zone);
  return {
    // Another version of the browser may not know the zone.
    zone: zone !== null && isTimeZone(zone) ? zone : localZone(),
    currency: CURRENCIES.find((choice) => choice === value.currency) ?? 'ALL',
    impact: IMPACT_CHOICES.find((choice) => choice === value.impact) ?? 'ALL',
    companies: value.companies !== false,
    stock: readText(value.stock) || null,
  };
}

const read = (): Choices =>
  readStored(KEY, accept) ?? {
    zone: localZone(),
    currency: 'ALL',
    impact: 'ALL',
    companies: true,
    stock: null,
  };

const state = signal<Choices>(read());

export const choices: ReadonlySignal<Choices> = state;

/** Applies to every window of this browser. A zone that was never chosen is not stored: it follows the machine's. */
export function choose(change: Partial<Choices>): void {
  state.value = { ...state.peek(), ...change };
  const { zone, ...others } = state.peek();
  const isChosen = change.zone !== undefined || readStored(KEY, keptZone) !== null;
  writeStored(KEY, isChosen ? { zone, ...others } : others);
}

const keptZone = (value: unknown): string | null => (isRecord(value) ? readText(value.zone) : null);

/** Follows changes in other windows. Returns the stop function. */
export function followChoices(): () => void {
  const follow = () => {
    state.value = read();
  };
  follow();
  return onStored([KEY], follow);
}

/** Events of companies have no impact, so choosing one hides them. */
export const isChosen = (event: CalendarRow, { currency, impact, companies }: Choices): boolean =>
  (currency === 'ALL' || event.currencyCode === currency) &&
  (event.company ? companies && impact === 'ALL' : impact === 'ALL' || event.volatility === impact);

export type CalendarDays = Readonly<Record<CalendarDay, readonly CalendarRow[]>>;

/** @param dayOf returns the day of an event in the chosen zone (`dayReader`) */
export function daysOf(
  events: Iterable<CalendarRow>,
  choices: Choices,
  dayOf: (event: CalendarRow) => CalendarDay | null,
): CalendarDays {
  const days: Record<CalendarDay, CalendarRow[]> = { yesterday: [], today: [], tomorrow: [] };
  for (const event of events) {
    const day = isChosen(event, choices) ? dayOf(event) : null;
    if (day !== null) days[day].push(event);
  }
  for (const list of Object.values(days)) list.sort(compareEvents);
  return days;
}
