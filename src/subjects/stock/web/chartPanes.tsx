import { signal } from '@preact/signals-react';
import { type ReactNode, useState } from 'react';
import { isRecord } from '#lib/json.ts';
import { readChoice, readList } from '#lib/read.ts';
import { CHART_TIMEFRAMES, type ChartTimeframe } from '#market/bars/rules/bars.ts';
import { Segments } from '#ui/Segments.tsx';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { StockChart, type StockChartProps } from './shared/chart/StockChart.tsx';
import type { SharedPoint } from './shared/chart/types.ts';

const COUNTS = [1, 2, 4] as const;
type Count = (typeof COUNTS)[number];

type Panes = {
  count: Count;
  /** Timeframes of the charts after the first, whose timeframe is in the address. */
  others: readonly ChartTimeframe[];
};

const KEY = 'bellbird.chartPanes';
const DEFAULTS: Panes = { count: 1, others: ['D', '5', '60'] };

function accept(value: unknown): Panes | null {
  if (!isRecord(value)) return null;
  const others = readList(value.others, readChoice(CHART_TIMEFRAMES));
  return {
    count: COUNTS.find((count) => count === value.count) ?? DEFAULTS.count,
    others: DEFAULTS.others.map((tf, place) => others[place] ?? tf),
  };
}

/** The number of charts side by side and their timeframes, stored in this browser. */
export function usePanes() {
  const [panes, setPanes] = useState(() => readStored(KEY, accept) ?? DEFAULTS);
  const change = (next: Partial<Panes>): void => {
    const all = { ...panes, ...next };
    setPanes(all);
    writeStored(KEY, all);
  };
  return { panes, change };
}

type PanesChoice = ReturnType<typeof usePanes>;

const SEGMENTS = COUNTS.map((count) => ({
  id: count,
  label: String(count),
  name: count === 1 ? '1 chart' : `${count} charts`,
  title: count === 1 ? '1 chart' : `${count} timeframes side by side`,
}));

export const PaneCount = ({ panes, change }: PanesChoice): ReactNode => (
  <Segments
    label="Charts side by side"
    segments={SEGMENTS}
    chosen={panes.count}
    onChoose={(count) => change({ count })}
    isQuiet
  />
);

type ChartPanesProps = Pick<StockChartProps, 'code' | 'stock' | 'tf' | 'onTimeframe'> & PanesChoice;

/** Charts of one stock in several timeframes. Their crosshairs show the same time. */
export function ChartPanes({ panes, change, tf, onTimeframe, ...stock }: ChartPanesProps): ReactNode {
  const [shared] = useState(() => signal<SharedPoint | null>(null));
  const others = panes.others.slice(0, panes.count - 1);
  return (
    // Created again for another number, because a chart keeps the distance of its bars when its width changes.
    <div key={panes.count} className="chart-panes grow min-h-0" data-count={panes.count}>
      <StockChart {...stock} tf={tf} onTimeframe={onTimeframe} {...(others.length > 0 && { shared })} />
      {others.map((other, place) => (
        <StockChart
          key={place}
          {...stock}
          tf={other}
          onTimeframe={(next) => change({ others: panes.others.with(place, next) })}
          shared={shared}
        />
      ))}
    </div>
  );
}
