import { type ReadonlySignal, signal } from '@preact/signals-react';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { isTimeZone } from '#market/calendar/rules/days.ts';
import { isRecord } from '#lib/json.ts';
import { readText } from '#lib/read.ts';
import { onStored, readStored, writeStored } from '#web/shared/storage.ts';
import { localZone } from './timeZones.ts';

/** The choices of specification 2.6. */
export const CURRENCIES = ['ALL', 'USD', 'EUR', 'GBP', 'JPY', 'AUD', 'NZD', 'CAD'] as const;
export const IMPACT_CHOICES = ['ALL', 'HIGH', 'MEDIUM', 'LOW'] as const;

export type Choices = {
  /** An IANA name. */
  zone: string;
  currency: (typeof CURRENCIES)[number];
  impact: (typeof IMPACT_CHOICES)[number];
  /** A stock whose moves after past releases are shown; null for none. */
  stock: string | null;
};

const KEY = 'bellbird.calendar';

function accept(value: unknown): Choices | null {
  if (!isRecord(value)) return null;
  const zone = readText(value.zone);
  return {
    // A browser of another version may not know it.
    zone: zone !== null && isTimeZone(zone) ? zone : localZone(),
    currency: CURRENCIES.find((choice) => choice === value.currency) ?? 'ALL',
    impact: IMPACT_CHOICES.find((choice) => choice === value.impact) ?? 'ALL',
    stock: readText(value.stock) || null,
  };
}

const read = (): Choices =>
  readStored(KEY, accept) ?? { zone: localZone(), currency: 'ALL', impact: 'ALL', stock: null };

const state = signal<Choices>(read());

/** What this browser shows of the calendar. */
export const choices: ReadonlySignal<Choices> = state;

/** Changes one or several choices here and in every window of this browser. A zone that was never chosen is not kept: it follows the machine's. */
export function choose(change: Partial<Choices>): void {
  state.value = { ...state.peek(), ...change };
  const { zone, ...others } = state.peek();
  const isChosen = change.zone !== undefined || readStored(KEY, keptZone) !== null;
  writeStored(KEY, isChosen ? { zone, ...others } : others);
}

const keptZone = (value: unknown): string | null => (isRecord(value) ? readText(value.zone) : null);

/** Follows what other windows choose, from what is kept now on. Returns the stop function. */
export function followChoices(): () => void {
  const follow = () => {
    state.value = read();
  };
  follow();
  return onStored([KEY], follow);
}

/** Whether the currency and the impact that are chosen let an event through. */
export const isChosen = (event: CalendarEvent, { currency, impact }: Choices): boolean =>
  (currency === 'ALL' || event.currencyCode === currency) &&
  (impact === 'ALL' || event.volatility === impact);
