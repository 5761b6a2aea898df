import { phaseAt } from '../../../market/rules/sessionClock.ts';
import { type Concern, MINUTE_MS } from './concern.ts';

/** What a source says of itself. */
export type SourceSeen = { label: string; healthy: boolean; problem: string | null };

/** The sources as they stand; null for one that is switched off. */
export type SourcesSeen = {
  prices: SourceSeen & { signInProblem: string | null };
  announcements: SourceSeen | null;
  calendar: SourceSeen | null;
  /** By the market's own clock, epoch ms. */
  marketTime: number;
};

const SETTLED_MS = 10 * MINUTE_MS;
const LOOK =
  'Look at Logs and External Endpoint Activity for what it answered, and at the network of this server.';

type Words = Pick<Concern, 'key' | 'title' | 'overTitle' | 'afterMs' | 'isUrgent'>;

/** A source in its hours; outside of them its silence says nothing. */
function sourceConcern(words: Words, seen: SourceSeen, isInHours: boolean): Concern {
  const whenDown = isInHours ? 'wrong' : 'unknown';
  return {
    ...words,
    state: seen.healthy ? 'well' : whenDown,
    detail: seen.problem ?? `${seen.label} does not answer.`,
    remedy: LOOK,
    overAfterMs: SETTLED_MS,
  };
}

const signInConcern = ({ signInProblem, healthy }: SourcesSeen['prices']): Concern => {
  const whenNone = healthy ? 'well' : 'unknown';
  return {
    key: 'signIn',
    state: signInProblem === null ? whenNone : 'wrong',
    title: 'The cookie of TradingView has ended',
    detail: signInProblem ?? '',
    remedy: 'Log in at TradingView, put the new cookie into BELLBIRD_TRADINGVIEW_COOKIE, and restart.',
    overTitle: 'Prices are live again',
    ...{ afterMs: SETTLED_MS, overAfterMs: SETTLED_MS, isUrgent: true },
  };
};

/**
 * What is wrong with the sources. Prices and announcements count from the pre-open to 19:00 on trading days, the calendar
 * always.
 */
export function sourceConcerns({ prices, announcements, calendar, marketTime }: SourcesSeen): Concern[] {
  const isInHours = phaseAt(marketTime).phase !== 'closed';
  const concerns = [
    sourceConcern(
      {
        ...{ key: 'prices', title: 'Prices do not come', overTitle: 'Prices come again' },
        ...{ afterMs: 5 * MINUTE_MS, isUrgent: true },
      },
      prices,
      isInHours,
    ),
    signInConcern(prices),
  ];
  if (announcements) {
    const words = { title: 'Announcements do not come', overTitle: 'Announcements come again' };
    const key = 'announcements';
    concerns.push(
      sourceConcern({ key, ...words, afterMs: 15 * MINUTE_MS, isUrgent: false }, announcements, isInHours),
    );
  }
  if (calendar) {
    const words = {
      title: 'The economic calendar does not come',
      overTitle: 'The economic calendar comes again',
    };
    const key = 'calendar';
    concerns.push(sourceConcern({ key, ...words, afterMs: 60 * MINUTE_MS, isUrgent: false }, calendar, true));
  }
  return concerns;
}
