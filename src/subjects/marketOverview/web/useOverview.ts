import { computed, signal } from '@preact/signals-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { marketNow, meta, sendOverview, takeOverviewLine } from '#web/live/market.ts';
import { marketEpoch } from '#web/live/marketEpoch.ts';
import { sessionPhase } from '#web/live/marketHours.ts';
import { isPreOpen } from '#market/rules/sessionClock.ts';
import { useLasting } from '#web/live/useStreamFailure.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import type { Securities } from '#market/rules/stockState.ts';
import type { NewsLine } from '../rules/dayNews.ts';
import type { OverviewRequest, OverviewFigures } from '../rules/aggregator.ts';
import type { Usual } from '../rules/overviewText.ts';
import type { Known } from '#lib/contract/fields.ts';
import { fromSydney } from '#lib/sydneyTime.ts';
import { readerOf, request } from '#web/api/client.ts';
import { usualValueAnswer, priceRangesAnswer } from '../answers/overview.ts';
import { sumOfCurves } from '../rules/valueCurve.ts';
import type { PriceRange, PriceRanges } from '#market/rules/breadth.ts';

type RangesAnswer = NonNullable<Known<typeof priceRangesAnswer>>;

let known: { epoch: string | null; answer: Promise<RangesAnswer> } | null = null;

/** The ranges of the daily bars, requested once per epoch of the market and again after an ApiError. */
function fetchRanges(): Promise<RangesAnswer> {
  const epoch = marketEpoch.peek();
  if (known?.epoch === epoch) return known.answer;
  const answer = request('GET /api/data/price-ranges', { read: readerOf(priceRangesAnswer) });
  const own = { epoch, answer };
  known = own;
  answer.catch(() => {
    if (known === own) known = null;
  });
  return answer;
}

/** Converts the answer to rows of [code, high, low]. */
const rangeRows = ({ codes, highs, lows }: RangesAnswer): [string, number, number][] =>
  codes.flatMap((code, place) => {
    const high = highs[place];
    const low = lows[place];
    return high === undefined || low === undefined ? [] : [[code, high, low]];
  });

/** @throws like `fetchRanges` */
export async function loadRanges(): Promise<PriceRanges> {
  const rows = rangeRows(await fetchRanges());
  return new Map(rows.map(([code, high, low]): [string, PriceRange] => [code, { high, low }]));
}

type UsualAnswer = NonNullable<Known<typeof usualValueAnswer>>;

const fetchUsual = (): Promise<UsualAnswer> =>
  request('GET /api/data/usual-value', { read: readerOf(usualValueAnswer) });

/** The usual value at this time of the session. @param date of the shown session, YYYY-MM-DD */
function usualNow(
  { shares, funds, sessions }: UsualAnswer,
  securities: Securities | undefined,
  date: string,
): Usual {
  const curve =
    securities === undefined ? sumOfCurves(shares, funds) : securities === 'funds' ? funds : shares;
  return { curve, sessions, minutes: (marketNow() - fromSydney(date, 10, 0)) / 60_000 };
}

const send = (ask: OverviewRequest | null): void =>
  sendOverview({ type: 'overview', ask, script: document.documentElement.dataset['overview'] ?? '' });

/**
 * Requests the market's figures, now and after each change; replaces the previous listener. Returns the stop function.
 */
function followOverview(
  ask: OverviewRequest,
  receive: (figures: OverviewFigures | null) => void,
): () => void {
  takeOverviewLine(receive);
  send(ask);
  return () => {
    const taking = takeOverviewLine(null);
    // Another part of the page may have replaced this listener.
    if (taking === receive) send(null);
    else takeOverviewLine(taking);
  };
}

type Lines = ReadonlyMap<string, readonly NewsLine[]>;

const NO_LINES: Lines = new Map();

/** The lines with those of changed stocks replaced. */
function withNews(before: Lines, { codes, lines }: NonNullable<OverviewFigures['news']>): Lines {
  const next = codes === null ? new Map<string, NewsLine[]>() : new Map(before);
  for (const code of codes ?? []) next.delete(code);
  for (const [code, own] of Map.groupBy(lines, (line) => line.code)) next.set(code, own);
  return next;
}

/** The figures as signals; each part changes separately. */
function createOverview() {
  const totals = signal<OverviewFigures['totals'] | null>(null);
  const byMatchPrice = signal(false);
  const map = signal<OverviewFigures['map']>(null);
  const news = signal<Lines>(NO_LINES);
  const hasNews = signal(false);
  const isThere = computed(() => totals.value !== null);
  const isWhole = signal(false);
  // Derived, so that components without figures do not render with each tick.
  const lacksRanges = computed(() => {
    const known = totals.value;
    return known !== null && !byMatchPrice.value && known.traded > 0 && known.ranged < known.traded;
  });
  const hasFailed = signal(false);
  const receive = (figures: OverviewFigures | null): void => {
    hasFailed.value = figures === null;
    if (figures === null) return;
    // Stays true, because a stock that is listed or removed later does not make the market incomplete.
    isWhole.value ||= figures.isWhole;
    byMatchPrice.value = figures.byMatchPrice;
    totals.value = figures.totals;
    map.value = figures.map;
    if (figures.news === null) return;
    news.value = withNews(news.peek(), figures.news);
    hasNews.value = true;
  };
  return {
    totals,
    byMatchPrice,
    map,
    news,
    hasNews,
    hasFailed,
    isThere,
    isWhole,
    lacksRanges,
    hear: receive,
  };
}

export type Overview = Omit<ReturnType<typeof createOverview>, 'hear' | 'isWhole'> & {
  /** Whether the figures cover the whole market, or all that will arrive. */
  isSettled: boolean;
  /** Requests again after the code could not be loaded. */
  retry(): void;
  /** First daily bar that is used for new highs and lows; undefined if none are needed. */
  since: string | null | undefined;
  /** Why the ranges or the usual value are missing; null if they are not. */
  problem: string | null;
  reload(): void;
  /** Null while unknown. */
  usual(): Usual | null;
};

/** The ranges of the daily bars, loaded if the source lacks those of most stocks. */
function useKeptRanges(overview: ReturnType<typeof createOverview>) {
  const epoch = marketEpoch.value;
  const [wantedIn, setWantedIn] = useState<string | null>(null);
  const lacksRanges = overview.lacksRanges.value;
  if (lacksRanges && epoch !== null && wantedIn !== epoch) setWantedIn(epoch);
  return useLoaded(fetchRanges, 'Earlier prices could not be loaded.', {
    of: wantedIn !== null && wantedIn === epoch ? epoch : null,
  });
}

/** @param part what to request in addition to the totals */
export function useOverview(part: OverviewRequest['part'], securities: Securities | undefined): Overview {
  const [overview] = useState(createOverview);
  const [attempt, setAttempt] = useState(0);
  const epoch = marketEpoch.value;
  const ranges = useKeptRanges(overview);
  const rows = useMemo(
    () => (ranges.data && ranges.isCurrent ? rangeRows(ranges.data) : null),
    [ranges.data, ranges.isCurrent],
  );
  const phase = sessionPhase.value;
  const byMatchPrice = phase !== null && isPreOpen(phase);
  useEffect(() => {
    const ask: OverviewRequest = { part, securities, byMatchPrice, ranges: rows };
    return followOverview(ask, overview.hear);
  }, [overview, part, securities, byMatchPrice, rows, attempt]);
  const usual = useLoaded(fetchUsual, 'The usual value could not be loaded.', { of: epoch });
  const { data } = usual;
  const isPartial = overview.isThere.value && !overview.isWhole.value;
  const staysPartial = useLasting(isPartial);
  return {
    ...overview,
    isSettled: overview.isThere.value && (!isPartial || staysPartial),
    retry: useCallback(() => setAttempt((before) => before + 1), []),
    since: ranges.isCurrent ? ranges.data?.since : undefined,
    problem: ranges.error ?? usual.error,
    reload: () => {
      for (const one of [ranges, usual]) if (one.error !== null) void one.reload();
    },
    usual: () => {
      const date = meta.peek()?.dateToday;
      return data && usual.isCurrent && date !== undefined ? usualNow(data, securities, date) : null;
    },
  };
}
