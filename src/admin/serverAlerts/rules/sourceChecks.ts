import { phaseAt } from '#market/rules/sessionClock.ts';
import { type HealthCheck, sinceText } from './healthCheck.ts';
import { MINUTE_MS } from '#lib/units.ts';

export type SourceSeen = {
  label: string;
  healthy: boolean;
  problem: string | null;
  /** Fields that the source no longer sends, and since when (epoch ms); omitted if none is missing. */
  missing?: readonly { name: string; since: number }[];
};

/** State of the sources; null for one that is switched off. */
export type SourcesSeen = {
  prices: SourceSeen & { signInProblem: string | null };
  announcements: SourceSeen | null;
  calendar: SourceSeen | null;
  /** By the market's clock, epoch ms. */
  marketTime: number;
  /** By the wall clock, epoch ms. */
  now: number;
};

const SETTLED_MS = 10 * MINUTE_MS;
const CHECK = 'Check Logs and External Endpoint Activity for its answers, and this server’s network.';

type Words = Pick<HealthCheck, 'key' | 'what' | 'title' | 'overTitle' | 'afterMs' | 'isUrgent'>;

/** Checks a source. Outside its hours a silent source is normal. */
function sourceCheck(words: Words, seen: SourceSeen, isInHours: boolean): HealthCheck {
  const whenDown = isInHours ? 'wrong' : 'unknown';
  return {
    ...words,
    state: seen.healthy ? 'well' : whenDown,
    detail: seen.problem ?? `${seen.label} does not answer.`,
    remedy: CHECK,
    overAfterMs: SETTLED_MS,
  };
}

const signInCheck = ({ signInProblem, healthy }: SourcesSeen['prices']): HealthCheck => {
  const whenNone = healthy ? 'well' : 'unknown';
  return {
    key: 'signIn',
    what: 'Prices',
    state: signInProblem === null ? whenNone : 'wrong',
    title: 'TradingView cookie expired',
    detail: signInProblem ?? '',
    remedy: 'Log in to TradingView, set BELLBIRD_TRADINGVIEW_COOKIE to the new cookie, and restart.',
    overTitle: 'Prices are live again',
    afterMs: SETTLED_MS,
    overAfterMs: SETTLED_MS,
    isUrgent: true,
  };
};

const NAMED = 6;

/** End of a sentence: "no VWAP for any stock since 10:42, no sectors since 19 Nov 10:50, Sydney time". */
function missingText(missing: NonNullable<SourceSeen['missing']>, each: string, now: number): string {
  const named = missing
    .slice(0, NAMED)
    .map(({ name, since }, at) => `no ${name}${at === 0 ? ` ${each}` : ''} since ${sinceText(since, now)}`)
    .join(', ');
  return `${named}${missing.length > NAMED ? `, and ${missing.length - NAMED} more` : ''}, Sydney time`;
}

/** Checks fields that a source no longer sends although it answers. */
function fieldsCheck(
  words: Pick<HealthCheck, 'key' | 'what' | 'title' | 'moreTitle' | 'overTitle'> & {
    by: string;
    each: string;
  },
  { missing = [], healthy }: SourceSeen,
  now: number,
): HealthCheck {
  const { by, each, ...texts } = words;
  const whenHealthy = missing.length > 0 ? 'wrong' : 'well';
  return {
    ...texts,
    state: healthy ? whenHealthy : 'unknown',
    parts: missing.map(({ name, since }) => ({ name, lasts: now - since >= SETTLED_MS })),
    detail: missing.length === 0 ? '' : `${by} has sent ${missingText(missing, each, now)}.`,
    remedy:
      'The source may have changed its format. Update Bellbird, or report the problem with the support file.',
    afterMs: SETTLED_MS,
    overAfterMs: SETTLED_MS,
    isUrgent: false,
  };
}

const FIELD_WORDS = {
  prices: {
    key: 'priceFields',
    what: 'Prices',
    title: 'Price fields are missing',
    moreTitle: 'More price fields are missing',
    overTitle: 'All price fields are back',
  },
  announcements: {
    key: 'announcementFields',
    what: 'Announcements',
    title: 'Announcement fields are missing',
    moreTitle: 'More announcement fields are missing',
    overTitle: 'All announcement fields are back',
  },
  calendar: {
    key: 'calendarFields',
    what: 'Economic calendar',
    title: 'Calendar fields are missing',
    moreTitle: 'More calendar fields are missing',
    overTitle: 'All calendar fields are back',
  },
} as const;

function fieldsChecks({ prices, announcements, calendar, now }: SourcesSeen): HealthCheck[] {
  const ofPrices = { ...FIELD_WORDS.prices, by: 'TradingView', each: 'for any stock' };
  const ofRows = (kind: 'announcements' | 'calendar', seen: SourceSeen | null): HealthCheck[] =>
    seen === null
      ? []
      : [fieldsCheck({ ...FIELD_WORDS[kind], by: seen.label, each: 'in most of its rows' }, seen, now)];
  return [
    fieldsCheck(ofPrices, prices, now),
    ...ofRows('announcements', announcements),
    ...ofRows('calendar', calendar),
  ];
}

/** Checks of the sources: prices and announcements from the pre-open to 19:00 on trading days, the calendar always. */
export function sourceChecks(seen: SourcesSeen): HealthCheck[] {
  const { prices, announcements, calendar, marketTime } = seen;
  const isInHours = phaseAt(marketTime).phase !== 'closed';
  const checks = [
    sourceCheck(
      {
        key: 'prices',
        what: 'Prices',
        title: 'No prices are arriving',
        overTitle: 'Prices are arriving again',
        afterMs: 5 * MINUTE_MS,
        isUrgent: true,
      },
      prices,
      isInHours,
    ),
    signInCheck(prices),
  ];
  if (announcements) {
    const words = { title: 'No announcements are arriving', overTitle: 'Announcements are arriving again' };
    const key = 'announcements';
    const what = 'Announcements';
    checks.push(
      sourceCheck(
        { key, what, ...words, afterMs: 15 * MINUTE_MS, isUrgent: false },
        announcements,
        isInHours,
      ),
    );
  }
  if (calendar) {
    const words = {
      title: 'The economic calendar is not updating',
      overTitle: 'The economic calendar is updating again',
    };
    const key = 'calendar';
    const what = 'Economic calendar';
    checks.push(
      sourceCheck({ key, what, ...words, afterMs: 60 * MINUTE_MS, isUrgent: false }, calendar, true),
    );
  }
  return [...checks, ...fieldsChecks(seen)];
}
