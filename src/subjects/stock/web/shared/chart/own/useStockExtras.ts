import { useMemo } from 'react';
import type { BarColumns, ChartTimeframe, TimeSpan } from '#market/bars/rules/bars.ts';
import type { ChartExtras, ChartLevel, ChartMark } from '#market/bars/rules/chart.ts';
import {
  adjustedCall,
  alertLevels,
  auctionMarks,
  callLevels,
  haltShades,
  newsMarks,
} from '#market/bars/rules/stockExtras.ts';
import { vwapPath } from '#market/bars/rules/vwap.ts';
import { type Adjustment, factorAfter } from '#market/rules/splitAdjustment.ts';
import type { Stock } from '#market/rules/stock.ts';
import { marketNow } from '#web/live/market.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { axisDay, isDated } from '../axisTime.ts';
import { type Answers, useAnswers } from './useAnswers.ts';

const NO_MARKS: readonly ChartMark[] = [];
const MINUTE_MS = 60_000;

export type ShownBars = {
  bars: BarColumns;
  unknown: readonly TimeSpan[];
  hasMore: boolean;
  knownSince: number | null;
  adjustments: readonly Adjustment[];
};

function useMarks({ told, events, alerts }: Answers, news: Stock['news'] | undefined, tf: ChartTimeframe) {
  return useMemo(() => {
    const recent = Object.values(news ?? {}).flatMap(({ announcements }) => Object.values(announcements));
    return [
      ...newsMarks([...(told ?? []), ...recent]),
      ...(isDated(tf) ? NO_MARKS : auctionMarks(events?.auctions ?? [])),
      ...(alerts?.marks ?? NO_MARKS),
    ];
  }, [news, told, events, alerts, tf]);
}

function useShades({ events }: Answers) {
  const minute = events !== null && isOver(events.statuses) ? 0 : Math.floor(marketNow() / MINUTE_MS);
  return useMemo(
    () => (events === null ? [] : haltShades(events.statuses, minute * MINUTE_MS)),
    [events, minute],
  );
}

/** @param prices of the market; null for one that has no level */
function useLevels(
  code: string,
  { source, calls, alerts }: Answers,
  { close, vwap }: { close: number | null; vwap: number | null },
  adjustments: readonly Adjustment[],
) {
  return useMemo(() => {
    const mine = (calls ?? []).filter((call) => call.symbol === code && isOfSource(call.source, source));
    const logics = (alerts?.alerts ?? []).flatMap(({ logic, isActive }): Logic[] =>
      logic !== null && isActive ? [logic] : [],
    );
    const ofMarket: ChartLevel[] = [
      ...(close === null ? [] : [{ kind: 'previousClose' as const, title: 'P. Close', price: close }]),
      ...(vwap === null ? [] : [{ kind: 'vwap' as const, title: 'VWAP', price: vwap }]),
    ];
    const inPricesOfNow = mine.map((call) =>
      adjustedCall(call, factorAfter(adjustments, call.postedAt ?? 0)),
    );
    return [...ofMarket, ...callLevels(inPricesOfNow), ...alertLevels(logics)];
  }, [calls, alerts, close, vwap, code, source, adjustments]);
}

/** What stands on a stock's chart besides its bars: of the market, its announcements, and the reader's own calls and alerts. */
export function useStockExtras(
  code: string,
  stock: Stock | null,
  tf: ChartTimeframe,
  shown: ShownBars,
): ChartExtras {
  const hasBars = shown.bars.time.length > 0;
  const answers = useAnswers(code, stock, tf, hasBars);
  const marks = useMarks(answers, stock?.news, tf);
  const shades = useShades(answers);
  const path = useMemo(() => vwapPath(shown, tf, stock?.vwap ?? null, axisDay), [shown, tf, stock?.vwap]);
  const hasPath = path !== null && hasBars && path.time.at(-1) === shown.bars.time.at(-1);
  const ofMarket = {
    // Of days and more the bar before says it.
    close: isDated(tf) ? null : (stock?.close ?? null),
    vwap: hasPath || isDated(tf) ? null : (stock?.vwap ?? null),
  };
  const levels = useLevels(code, answers, ofMarket, shown.adjustments);
  const paths = useMemo(() => (path === null ? [] : [path]), [path]);
  return useMemo(() => ({ marks, shades, levels, paths }), [marks, shades, levels, paths]);
}

/** A halt that goes on is drawn a minute longer with every minute. */
const isOver = (statuses: readonly { status: string }[]): boolean =>
  haltShades(
    statuses.slice(-1).map(({ status }) => ({ status, time: 0 })),
    MINUTE_MS,
  ).length === 0;

const isOfSource = (made: string | null, running: string | null): boolean =>
  made === null || running === null || made === running;
