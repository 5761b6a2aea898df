export const hasFigure = ({
  isSpeech,
  isReport,
  isAllDay,
}: Pick<CalendarEvent, 'isSpeech' | 'isReport' | 'isAllDay'>): boolean => !isSpeech && !isReport && !isAllDay;

export const IMPACTS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type Impact = (typeof IMPACTS)[number];

export const POTENCIES = ['ZERO', 'K', 'M', 'B', 'T'] as const;
export type Potency = (typeof POTENCIES)[number];

/**
 * An economic event (specification, section 3), `fx` on the wire. Figures are in `potency` and `unit`: 1.5
 * with 'M' and '$' is 1.5 million dollars. Unknown members are null.
 */
export type CalendarEvent = {
  id: string;
  dateUtc: string;
  /** ISO 3166 alpha-2, but UK for the United Kingdom and EMU for the euro area. */
  countryCode: string;
  currencyCode: string;
  name: string;
  /** Start of the reported period; ISO 8601, UTC. */
  periodDateUtc: string | null;
  periodType: string | null;
  actual: number | null;
  consensus: number | null;
  previous: number | null;
  revised: number | null;
  unit: string | null;
  potency: Potency;
  volatility: Impact;
  /** Null if neither direction is better. */
  isBetterThanExpected: boolean | null;
  isSpeech: boolean;
  isReport: boolean;
  isAllDay: boolean;
  isHoliday: boolean;
  isTentative: boolean;
  isPreliminary: boolean;
  /** The source's id of a recurring event; null if there is none. Not sent to pages. */
  series: string | null;
};

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

/** Reads events of any version: earlier ones gave holidays the impact NONE. */
export const readStoredEvent = (event: CalendarEvent): CalendarEvent =>
  IMPACTS.includes(event.volatility) ? event : { ...event, volatility: 'LOW', isHoliday: event.isAllDay };

const EMPTY: Readonly<Record<string, unknown>> = emptyEvent('');

/** Members outside of the specification (section 3). The others are always sent. */
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
 * An event on the wire: all members of the specification, even null or false. Our own members are omitted if
 * they equal `emptyEvent`; `applyEventPatch` restores them.
 */
export function wireEvent(event: CalendarEvent): { [K in keyof CalendarEvent]?: CalendarEvent[K] | null } {
  const kept = Object.entries(event).filter(
    ([name, value]) => name in EMPTY && name !== 'series' && (!OWN.has(name) || value !== EMPTY[name]),
  );
  return Object.fromEntries(kept);
}
