/** How much an event is expected to move markets. */
export const IMPACTS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type Impact = (typeof IMPACTS)[number];

/** What the figures of an event are counted in: ones, thousands, millions, billions, trillions. */
export const POTENCIES = ['ZERO', 'K', 'M', 'B', 'T'] as const;
export type Potency = (typeof POTENCIES)[number];

/**
 * An economic event as the stream carries it (specification, section 3); the wire calls events `fx`. Figures are in
 * `potency` and `unit`: 1.5 with 'M' and '$' is 1.5 million dollars. What is not known is null.
 */
export type CalendarEvent = {
  /** Of this occurrence; the same for as long as the event is known. */
  id: string;
  /** ISO 8601, UTC. Of an all-day event the midnight that begins its date in UTC. */
  dateUtc: string;
  /** ISO 3166 alpha-2, but UK for the United Kingdom and EMU for the euro area. */
  countryCode: string;
  /** ISO 4217. */
  currencyCode: string;
  name: string;
  /** The beginning of the period that the figures are of; ISO 8601, UTC. */
  periodDateUtc: string | null;
  /** MONTH, QUARTER or another word. */
  periodType: string | null;
  actual: number | null;
  consensus: number | null;
  previous: number | null;
  /** The previous figure as it was corrected. */
  revised: number | null;
  /** '%' or the sign of a currency. */
  unit: string | null;
  potency: Potency;
  volatility: Impact;
  /** Null where the provider does not say which direction is better. */
  isBetterThanExpected: boolean | null;
  isSpeech: boolean;
  isReport: boolean;
  isAllDay: boolean;
  isHoliday: boolean;
  /** Its time is not certain. */
  isTentative: boolean;
  isPreliminary: boolean;
  /** The source's own id of what recurs; null where it has none. Of the server alone: pages are not sent it. */
  series: string | null;
};

/** The record of an event of which only the id is known. */
export const emptyEvent = (id: string): CalendarEvent => ({
  id,
  dateUtc: '',
  countryCode: '',
  currencyCode: '',
  name: '',
  periodDateUtc: null,
  periodType: null,
  actual: null,
  consensus: null,
  previous: null,
  revised: null,
  unit: null,
  potency: 'ZERO',
  volatility: 'LOW',
  isBetterThanExpected: null,
  isSpeech: false,
  isReport: false,
  isAllDay: false,
  isHoliday: false,
  isTentative: false,
  isPreliminary: false,
  series: null,
});

/**
 * An event after a merge patch; members that the patch removes, or that were left out of the stream because they say
 * nothing, are those of `emptyEvent`.
 */
export function applyEventPatch(
  id: string,
  event: CalendarEvent | undefined,
  patch: { [K in keyof CalendarEvent]?: CalendarEvent[K] | null | undefined },
): CalendarEvent {
  const next: Record<string, unknown> = { ...(event ?? emptyEvent(id)) };
  const empty: Record<string, unknown> = emptyEvent(id);
  for (const [name, value] of Object.entries(patch)) {
    if (value !== undefined && name in empty) next[name] = value ?? empty[name];
  }
  return { ...(next as CalendarEvent), id };
}

/** An event that was written down by any version: earlier ones gave holidays the impact NONE. */
export const readStoredEvent = (event: CalendarEvent): CalendarEvent =>
  IMPACTS.includes(event.volatility) ? event : { ...event, volatility: 'LOW', isHoliday: event.isAllDay };

const EMPTY: Readonly<Record<string, unknown>> = emptyEvent('');

/** Members that the specification does not name (section 3): those that it does are always there. */
const OWN: ReadonlySet<string> = new Set<keyof CalendarEvent>([
  'revised',
  'potency',
  'isBetterThanExpected',
  'isAllDay',
  'isHoliday',
  'isTentative',
  'isPreliminary',
]);

/**
 * An event as the stream carries it: all members that the specification names, also where they are null or false. Of our
 * own those are left out that are as `emptyEvent` has them; `applyEventPatch` puts them back.
 */
export function wireEvent(event: CalendarEvent): { [K in keyof CalendarEvent]?: CalendarEvent[K] | null } {
  const kept = Object.entries(event).filter(
    ([name, value]) => name in EMPTY && name !== 'series' && (!OWN.has(name) || value !== EMPTY[name]),
  );
  return Object.fromEntries(kept);
}
