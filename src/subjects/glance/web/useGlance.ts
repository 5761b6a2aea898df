import { computed, signal } from '@preact/signals-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { marketNow, meta, sayGlance, takeGlanceLine } from '#web/live/market.ts';
import { marketEra } from '#web/live/marketEra.ts';
import { useLasting } from '#web/live/useStreamFailure.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import type { Securities } from '#market/rules/securities.ts';
import type { NewsLine } from '../rules/dayNews.ts';
import type { GlanceAsk, GlanceTold } from '../rules/follower.ts';
import type { Usual } from '../rules/glanceText.ts';
import { fetchRanges, rangeRows } from './shared/ranges.ts';
import type { Known } from '#lib/contract/fields.ts';
import { fromSydney } from '#market/rules/sydneyTime.ts';
import { readerOf, request } from '#web/api/client.ts';
import { usualValueAnswer } from '../answers/glance.ts';
import { sumOfCurves } from '../rules/valueCurve.ts';

type UsualAnswer = NonNullable<Known<typeof usualValueAnswer>>;

/** @throws ApiError with the server's sentence */
const fetchUsual = (): Promise<UsualAnswer> =>
  request('GET /api/data/usual-value', { read: readerOf(usualValueAnswer) });

/** What is usually traded of these securities by now. @param date of the session that is shown, YYYY-MM-DD */
function usualNow(
  { shares, funds, sessions }: UsualAnswer,
  securities: Securities | undefined,
  date: string,
): Usual {
  const curve =
    securities === undefined ? sumOfCurves(shares, funds) : securities === 'funds' ? funds : shares;
  return { curve, sessions, minutes: (marketNow() - fromSydney(date, 10, 0)) / 60_000 };
}

type Listener = (told: GlanceTold | null) => void;

const say = (ask: GlanceAsk | null): void =>
  sayGlance({ type: 'glance', ask, script: document.documentElement.dataset['glance'] ?? '' });

/** Asks how the market stands as a whole, now and with each change, in the place of who asked before. Returns the stop function. */
function followGlance(ask: GlanceAsk, hear: Listener): () => void {
  takeGlanceLine(hear);
  say(ask);
  return () => {
    const taking = takeGlanceLine(null);
    // Another part of the page may have asked since.
    if (taking === hear) say(null);
    else takeGlanceLine(taking);
  };
}

type Lines = ReadonlyMap<string, readonly NewsLine[]>;

const NO_LINES: Lines = new Map();

/** The announcements by stock, with those that changed in the place of theirs. */
function withNews(before: Lines, { codes, lines }: NonNullable<GlanceTold['news']>): Lines {
  const next = codes === null ? new Map<string, NewsLine[]>() : new Map(before);
  for (const code of codes ?? []) next.delete(code);
  for (const [code, own] of Map.groupBy(lines, (line) => line.code)) next.set(code, own);
  return next;
}

/** What the holder of the stream says of the market; each part changes alone. */
function createGlance() {
  const totals = signal<GlanceTold['totals'] | null>(null);
  const map = signal<GlanceTold['map']>(null);
  const news = signal<Lines>(NO_LINES);
  const hasNews = signal(false);
  const isThere = computed(() => totals.value !== null);
  const isWhole = signal(false);
  // Of what comes with each tick only this is read where nothing is shown of it.
  const lacksRanges = computed(() => {
    const known = totals.value;
    return known !== null && known.traded > 0 && known.ranged < known.traded;
  });
  const hasFailed = signal(false);
  const hear = (told: GlanceTold | null): void => {
    hasFailed.value = told === null;
    if (told === null) return;
    // One that comes or goes later is no other market.
    isWhole.value ||= told.isWhole;
    totals.value = told.totals;
    map.value = told.map;
    if (told.news === null) return;
    news.value = withNews(news.peek(), told.news);
    hasNews.value = true;
  };
  return { totals, map, news, hasNews, hasFailed, isThere, isWhole, lacksRanges, hear };
}

export type Glance = Omit<ReturnType<typeof createGlance>, 'hear' | 'isWhole'> & {
  /** Whether the figures are of the whole market, or of all of it that comes. */
  isSettled: boolean;
  /** Asks again after the code did not come. */
  retry(): void;
  /** The first day of the kept daily bars that new highs and lows are measured by; undefined where none are needed. */
  since: string | null | undefined;
  /** Why those, or the usual value, are missing; null when they are not. */
  problem: string | null;
  reload(): void;
  /** What is usually traded by this moment; null while it is not known. */
  usual(): Usual | null;
};

/** The ranges of the kept daily bars, where the source does not state those of most stocks. */
function useKeptRanges(glance: ReturnType<typeof createGlance>) {
  const era = marketEra.value;
  const [wantedIn, setWantedIn] = useState<string | null>(null);
  const lacksRanges = glance.lacksRanges.value;
  if (lacksRanges && era !== null && wantedIn !== era) setWantedIn(era);
  return useLoaded(fetchRanges, 'Earlier prices could not be loaded.', {
    of: wantedIn !== null && wantedIn === era ? era : null,
  });
}

/**
 * Follows the market as a whole while the component is shown.
 * @param part what is wanted besides the totals
 */
export function useGlance(part: GlanceAsk['part'], securities: Securities | undefined): Glance {
  const [glance] = useState(createGlance);
  const [attempt, setAttempt] = useState(0);
  const era = marketEra.value;
  const ranges = useKeptRanges(glance);
  const rows = useMemo(
    () => (ranges.data && ranges.isCurrent ? rangeRows(ranges.data) : null),
    [ranges.data, ranges.isCurrent],
  );
  useEffect(() => {
    const ask: GlanceAsk = { part, securities, ranges: rows };
    return followGlance(ask, glance.hear);
  }, [glance, part, securities, rows, attempt]);
  const usual = useLoaded(fetchUsual, 'The usual value could not be loaded.', { of: era });
  const { data } = usual;
  const isPartial = glance.isThere.value && !glance.isWhole.value;
  const staysPartial = useLasting(isPartial);
  return {
    ...glance,
    isSettled: glance.isThere.value && (!isPartial || staysPartial),
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
