import { useCallback, useEffect, useMemo, useState } from 'react';
import type { BarColumns, ChartTimeframe, TimeSpan } from '../../../../../../market/bars/rules/bars.ts';
import type { ChartExtras, ChartLevel, ChartMark } from '../../../../../../market/bars/rules/chart.ts';
import {
  alertLevels,
  auctionMarks,
  callLevels,
  haltShades,
  newsMarks,
} from '../../../../../../market/bars/rules/stockExtras.ts';
import { vwapPath } from '../../../../../../market/bars/rules/vwap.ts';
import type { Stock } from '../../../../../../market/rules/stock.ts';
import type { Logic } from '../../../../../conditions/rules/condition.ts';
import { listenToAlerts } from '../../../../../alerts/web/shared/alertStream.ts';
import { marketNow, meta } from '../../../../../../../web/live/market.ts';
import { marketEra } from '../../../../../../../web/live/marketEra.ts';
import { session } from '../../../../../accounts/web/shared/session/session.ts';
import { ownCallTurns } from '../../../../../calls/web/shared/ownCallTurns.ts';
import { axisDay, isDated } from '../axisTime.ts';
import { fetchAlertMarks, fetchDayEvents, fetchHeadlines, fetchOpenCalls } from './api.ts';
import { useAnswer } from './useAnswer.ts';

const NO_MARKS: readonly ChartMark[] = [];
const MINUTE_MS = 60_000;
/** From the bars to their picture. */
const PICTURE_MS = 50;

export type ShownBars = {
  bars: BarColumns;
  unknown: readonly TimeSpan[];
  hasMore: boolean;
  knownSince: number | null;
};

/** What stands on a stock's chart besides its bars: of the market, its announcements, and the reader's own calls and alerts. */
export function useStockExtras(
  code: string,
  stock: Stock | null,
  tf: ChartTimeframe,
  shown: ShownBars,
): ChartExtras {
  // What stands on the bars comes after them: asked for at once it would delay the picture.
  const [charted, setCharted] = useState<string | null>(null);
  const hasBars = shown.bars.time.length > 0;
  useEffect(() => {
    if (!hasBars) return;
    const timer = setTimeout(() => setCharted(code), PICTURE_MS);
    return () => clearTimeout(timer);
  }, [code, hasBars]);
  const market = charted === code ? code : null;
  const own = session.value.isAuthenticated ? market : null;
  const source = meta.value?.feed?.name ?? null;
  const era = marketEra.value ?? '';
  const status = stock?.status ?? '';
  // Of one that is not listed the server knows no day.
  const events = useAnswer(stock === null ? null : market, `${era} ${status}`, fetchDayEvents);
  const told = useAnswer(own, `${isDated(tf)} ${era}`, fetchHeadlines);
  const calls = useAnswer(own, `${era} ${ownCallTurns.value}`, fetchOpenCalls);
  const fetchAlerts = useCallback((symbol: string) => fetchAlertMarks(symbol, source), [source]);
  const alertTurns = useAlertTurns(code);
  const alerts = useAnswer(own, `${era} ${alertTurns}`, fetchAlerts);
  const news = stock?.news;

  const marks = useMemo(() => {
    const recent = Object.values(news ?? {}).flatMap(({ announcements }) => Object.values(announcements));
    return [
      ...newsMarks([...(told ?? []), ...recent]),
      ...(isDated(tf) ? NO_MARKS : auctionMarks(events?.auctions ?? [])),
      ...(alerts?.marks ?? NO_MARKS),
    ];
  }, [news, told, events, alerts, tf]);

  const minute = events !== null && isOver(events.statuses) ? 0 : Math.floor(marketNow() / MINUTE_MS);
  const shades = useMemo(
    () => (events === null ? [] : haltShades(events.statuses, minute * MINUTE_MS)),
    [events, minute],
  );

  const isVwapKnown = shown.bars.time.length > 0;
  const path = useMemo(() => vwapPath(shown, tf, stock?.vwap ?? null, axisDay), [shown, tf, stock?.vwap]);
  const hasPath = path !== null && isVwapKnown && path.time.at(-1) === shown.bars.time.at(-1);
  const vwapLevel = hasPath || isDated(tf) ? null : (stock?.vwap ?? null);
  // Of days and more the bar before says it.
  const close = isDated(tf) ? null : (stock?.close ?? null);
  const levels = useMemo(() => {
    const mine = (calls ?? []).filter((call) => call.symbol === code && isOfSource(call.source, source));
    const logics = (alerts?.alerts ?? []).flatMap(({ logic, isActive }): Logic[] =>
      logic !== null && isActive ? [logic] : [],
    );
    const ofMarket: ChartLevel[] = [
      ...(close === null ? [] : [{ kind: 'previousClose' as const, title: 'P. Close', price: close }]),
      ...(vwapLevel === null ? [] : [{ kind: 'vwap' as const, title: 'VWAP', price: vwapLevel }]),
    ];
    return [...ofMarket, ...callLevels(mine), ...alertLevels(logics)];
  }, [calls, alerts, close, vwapLevel, code, source]);

  const paths = useMemo(() => (path === null ? [] : [path]), [path]);
  return useMemo(() => ({ marks, shades, levels, paths }), [marks, shades, levels, paths]);
}

/** Counts what the alert stream tells of a stock's alerts: each time, what is drawn of them may be other. */
function useAlertTurns(code: string): number {
  const [turns, setTurns] = useState(0);
  useEffect(
    () =>
      listenToAlerts((event) => {
        const symbol = event.type === 'triggered' ? event.trigger.symbol : event.symbol;
        if (symbol === null || symbol === code) setTurns((before) => before + 1);
      }),
    [code],
  );
  return turns;
}

/** A halt that goes on is drawn a minute longer with every minute. */
const isOver = (statuses: readonly { status: string }[]): boolean =>
  haltShades(
    statuses.slice(-1).map(({ status }) => ({ status, time: 0 })),
    MINUTE_MS,
  ).length === 0;

const isOfSource = (made: string | null, running: string | null): boolean =>
  made === null || running === null || made === running;
