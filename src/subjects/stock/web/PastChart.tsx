import { type ReactNode, useMemo } from 'react';
import type { BarColumns } from '#market/bars/rules/bars.ts';
import type { ChartData, ChartMark } from '#market/bars/rules/chart.ts';
import type { Known } from '#lib/contract/fields.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { oddsDayAnswer } from '#subjects/odds/answers/odds.ts';
import { formatDate, formatTime } from '#texts/format.ts';
import { RetryBanner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { readerOf, request } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import type { PastTrade } from '#web/windows/openChart.ts';
import { PriceChart } from './shared/chart/PriceChart.tsx';

type PastDay = Known<typeof oddsDayAnswer> & { date: string };

async function fetchDay(symbol: string, date: string, signal: AbortSignal): Promise<PastDay> {
  const read = readerOf(oddsDayAnswer);
  return { ...(await request('GET /api/odds/day', { query: { symbol, date }, signal, read })), date };
}

const epochMs = (date: string, minute: number): number =>
  fromSydney(date, Math.floor(minute / 60), minute % 60);

function barsOf(days: readonly PastDay[]): BarColumns {
  const all = <T,>(read: (day: PastDay) => readonly T[]): T[] => days.flatMap((day) => [...read(day)]);
  return {
    time: all(({ date, minutes }) => minutes.map((minute) => epochMs(date, minute))),
    open: all(({ open }) => open),
    high: all(({ high }) => high),
    low: all(({ low }) => low),
    close: all(({ last }) => last),
    volume: all(({ volume }) => volume),
  };
}

const marksOf = ({ at, until }: PastTrade): ChartMark[] => [
  { kind: 'entry', time: at, text: 'Bought' },
  ...(until === null ? [] : [{ kind: 'exit' as const, time: until, text: 'Sold' }]),
];

const dataOf = (code: string, days: readonly PastDay[], past: PastTrade): ChartData => ({
  code,
  tf: '1',
  bars: barsOf(days),
  unknown: days.flatMap(({ date, gaps }) =>
    (gaps ?? []).map(({ from, until }) => ({
      from: epochMs(date, from ?? 0),
      until: epochMs(date, until ?? 0),
    })),
  ),
  knownSince: null,
  marks: marksOf(past),
});

function tradeText({ at, until }: PastTrade): string {
  const bought = `Bought ${formatDate(sydneyDate(at))} at ${formatTime(at)}`;
  if (until === null) return bought;
  const isSameDay = sydneyDate(at) === sydneyDate(until);
  return `${bought}, sold ${isSameDay ? '' : `${formatDate(sydneyDate(until))} `}at ${formatTime(until)}`;
}

type PastChartProps = { code: string; past: PastTrade; onLive(): void };

/** The minutes of a past trade's days, as they were traded. */
export function PastChart({ code, past, onLive }: PastChartProps): ReactNode {
  const dates = [...new Set([past.at, past.until ?? past.at].map(sydneyDate))];
  const { data, isCurrent, error, reload } = useLoaded(
    (signal) => Promise.all(dates.map((date) => fetchDay(code, date, signal))),
    `The prices of ${code} on that day could not be loaded.`,
    { of: `${code} ${dates.join(' ')}` },
  );
  const { at, until } = past;
  const drawn = useMemo(
    () => (data === null || !isCurrent ? null : dataOf(code, data, { at, until })),
    [code, data, isCurrent, at, until],
  );
  return (
    <>
      <div className="row">
        <p>{tradeText(past)}.</p>
        <Button onClick={onLive}>Show the live chart</Button>
      </div>
      {error !== null && <RetryBanner onRetry={reload}>{error}</RetryBanner>}
      {drawn === null ? (
        error === null && <SkeletonRows rows={8} label={`Loading ${code} on that day…`} />
      ) : (
        <section className="stock-chart stack grow min-h-0" aria-label={`Chart of ${code} on that day`}>
          <div className="stock-chart-body grow">
            <PriceChart label={`${code}, ${tradeText(past)}`} data={drawn} fitsAll />
          </div>
        </section>
      )}
    </>
  );
}
