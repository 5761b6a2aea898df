import type { Wire } from '../../src/lib/contract/fields.ts';
import { remindersAnswer, savedAnswer } from '../../src/subjects/calendar/answers/reminders.ts';
import { bareAnswer } from './contractAnswers.ts';

/** An economic event with just the members that the specification names. */
export const CPI = {
  id: 'cpi',
  dateUtc: '2026-11-20T00:30:00Z',
  countryCode: 'AU',
  currencyCode: 'AUD',
  name: 'Consumer prices',
  periodDateUtc: '2026-10-01T00:00:00Z',
  periodType: 'MONTH',
  actual: 3.1,
  consensus: 3,
  previous: 2.9,
  unit: '%',
  volatility: 'HIGH',
  isSpeech: false,
  isReport: false,
};

/** What this product says of the source of the events, in the stream's meta. */
export const OWN_CALENDAR = {
  label: 'FXStreet',
  healthy: false,
  problem: 'FXStreet refuses requests.',
  lastUpdate: 1_795_136_400_000,
  onMarketClock: true,
};

/** Events with what this product says besides. */
export const OWN_EVENTS = {
  data: {
    cpi: { ...CPI, potency: 'ZERO', revised: 2.8, isBetterThanExpected: true, isPreliminary: true },
    rate: {
      ...CPI,
      id: 'rate',
      dateUtc: '2026-11-20T01:30:00Z',
      actual: null,
      volatility: 'LOW',
      isTentative: true,
    },
    holiday: {
      ...CPI,
      id: 'holiday',
      dateUtc: '2026-11-20T00:00:00Z',
      isAllDay: true,
      volatility: 'LOW',
    },
  },
  lastUpdated: 1_795_136_400_000,
};

const REMINDERS: Wire<typeof remindersAnswer> = {
  reminders: [{ eventId: 'cpi', before: true, figure: false }],
};
const SAVED: Wire<typeof savedAnswer> = {
  eventId: 'cpi',
  before: true,
  figure: true,
  note: 'No chat or device gets reminders yet: add one in Settings.',
};

/** Reminders, as this product gives them at least. */
export const CALENDAR_ANSWERS = {
  'GET /api/calendar/reminders': bareAnswer(remindersAnswer, REMINDERS),
  'PUT /api/calendar/reminders/cpi': bareAnswer(savedAnswer, SAVED),
};
