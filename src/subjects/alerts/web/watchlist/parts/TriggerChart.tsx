import { DAY_MS } from '#lib/units.ts';
import { type ReactNode, useMemo } from 'react';
import type { BarColumns } from '#market/bars/rules/bars.ts';
import type { ChartData } from '#market/bars/rules/chart.ts';
import { alertLevels } from '#subjects/alerts/rules/alertText.ts';
import { seenText } from '#subjects/alerts/rules/seenText.ts';
import { timeframeFor } from '#subjects/alerts/rules/trigger.ts';
import { PriceChart } from '#subjects/stock/web/shared/chart/PriceChart.tsx';
import { marketNow, meta } from '#web/live/market.ts';
import { marketEpoch } from '#web/live/marketEpoch.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import type { SavedAlert } from '../alerts/editorState.ts';
import { fetchBarsBefore, type PastTrigger } from '../api.ts';

/** Bars that begin between two times, epoch ms, inclusive. */
function barsWithin(bars: BarColumns, from: number, to: number): BarColumns {
  const first = bars.time.findIndex((time) => time >= from);
  const after = bars.time.findIndex((time) => time > to);
  const [begin, end] = [first < 0 ? bars.time.length : first, after < 0 ? bars.time.length : after];
  const part = (column: number[]) => column.slice(begin, end);
  return {
    time: part(bars.time),
    open: part(bars.open),
    high: part(bars.high),
    low: part(bars.low),
    close: part(bars.close),
    volume: part(bars.volume),
  };
}

const momentOf = ({ marketTime, timestamp }: PastTrigger): number => Date.parse(marketTime ?? timestamp);

export const heldText = ({ seen }: PastTrigger): string =>
  seen
    .filter(({ holds }) => holds !== false)
    .map(seenText)
    .join(' · ');

type TriggerChartProps = {
  saved: SavedAlert;
  triggers: readonly PastTrigger[];
};

/** A chart of the triggers from a day before the first one; empty if there are no bars of that time. */
export function TriggerChart({ saved, triggers }: TriggerChartProps): ReactNode {
  const feed = meta.value?.feed?.name ?? null;
  const own = useMemo(
    () => triggers.filter(({ source }) => source === null || feed === null || source === feed),
    [triggers, feed],
  );
  return own.length === 0 ? null : <Chart saved={saved} triggers={own} />;
}

function Chart({ saved: { symbol, logic_json: logic }, triggers }: TriggerChartProps): ReactNode {
  const times = triggers.map(momentOf);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  // Memoized, because otherwise every render would request newer bars.
  const to = useMemo(() => Math.max(last, marketNow()) + 1, [last]);
  const from = first - DAY_MS;
  const tf = timeframeFor(from, to);
  const {
    data: answer,
    isCurrent,
    error,
  } = useLoaded(() => fetchBarsBefore(symbol, tf, to), `The bars of ${symbol} could not be loaded.`, {
    of: `${symbol} ${tf} ${to} ${marketEpoch.value ?? ''}`,
  });
  const data = useMemo((): ChartData | null => {
    if (answer === null || !isCurrent) return null;
    return {
      tf: answer.tf,
      bars: barsWithin(answer.bars, from, to),
      partial: answer.partial,
      unknown: answer.unknown.filter((span) => span.until > from && span.from < to),
      knownSince: null,
      levels: logic === null ? [] : alertLevels([logic]),
      marks: triggers.map((trigger) => ({
        kind: 'trigger',
        time: momentOf(trigger),
        text: heldText(trigger) || 'Fired',
      })),
    };
  }, [answer, isCurrent, from, to, logic, triggers]);
  if (error !== null || data?.bars.time.length === 0) return null;
  return (
    <div className="trigger-chart" aria-busy={data === null}>
      {data === null ? (
        <p className="center muted">Loading the chart of {symbol}…</p>
      ) : (
        <PriceChart label={`${symbol}, where the alert fired`} data={data} fitsAll />
      )}
    </div>
  );
}
