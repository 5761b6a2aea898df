import { type ReadonlySignal, signal } from '@preact/signals-react';
import { CHART_TIMEFRAMES, type ChartTimeframe } from '../../../../../market/bars/rules/bars.ts';
import { readChoice } from '../../../../../lib/read.ts';
import { readStored, writeStored } from '../../../../../../web/shared/storage.ts';

const KEY = 'bellbird.chartTimeframe';

const state = signal<ChartTimeframe>(readStored(KEY, readChoice(CHART_TIMEFRAMES)) ?? '1');

/** The timeframe of the charts in rows, kept in this browser; other windows take it with their next load. */
export const chosenTimeframe: ReadonlySignal<ChartTimeframe> = state;

export function chooseTimeframe(tf: ChartTimeframe): void {
  state.value = tf;
  writeStored(KEY, tf);
}

/** The timeframe so many steps longer; the last and the first stay. */
export function steppedTimeframe(tf: ChartTimeframe, step: -1 | 1): ChartTimeframe {
  return CHART_TIMEFRAMES[CHART_TIMEFRAMES.indexOf(tf) + step] ?? tf;
}
