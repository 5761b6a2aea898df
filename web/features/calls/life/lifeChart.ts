import { formatCallPrice } from '../../../../src/domain/calls/callFormat.ts';
import type { Reached } from '../../../../src/domain/calls/types.ts';
import type { ChartData, ChartLevel, ChartMark, ChartPath } from '../../../../src/domain/charts/chart.ts';
import type { Life } from './readLife.ts';

const priced = (price: number | null): { price?: number } => (price === null ? {} : { price });

function reachedMark(kind: ChartMark['kind'], what: string, reached: Reached | null): ChartMark[] {
  if (reached === null) return [];
  const text = `${what} ${formatCallPrice(reached.price)}`;
  return [{ kind, time: Date.parse(reached.at), price: reached.price, text }];
}

function momentMark(
  kind: ChartMark['kind'],
  text: string,
  at: string | null,
  price: number | null,
): ChartMark[] {
  return at === null ? [] : [{ kind, time: Date.parse(at), text, ...priced(price) }];
}

/** What happened to a call, in the order in which it did. */
export function lifeMarks({ call }: Life): ChartMark[] {
  const isBuy = call.callType === 'buy';
  const by = call.submittedBy.display;
  const ended = call.status === 'cancelled' ? 'Cancelled' : 'Closed';
  return [
    ...momentMark('entry', `Posted by ${by}`, call.submittedAt, call.priceAtSubmission),
    ...reachedMark('entry', isBuy ? 'Filled at' : 'First trade after the posting at', call.entryTrade),
    ...reachedMark('level', 'Target reached at', call.targetReached),
    ...reachedMark('level', 'Stop reached at', call.stopReached),
    ...momentMark('exit', `${ended} by ${by}`, call.closedAt, call.priceAtClose),
    ...reachedMark('exit', 'First trade after the end at', call.exitTrade),
    ...call.corrections.flatMap(({ at, by: who, reason }) =>
      momentMark('correction', `Corrected by ${who.display}: ${reason}`, at, null),
    ),
  ].sort((a, b) => a.time - b.time);
}

function lifeLevels({ call, stop }: Life): ChartLevel[] {
  const level = (kind: ChartLevel['kind'], title: string, price: number | null): ChartLevel[] =>
    price === null ? [] : [{ kind, title, price }];
  const isHard = call.stopLossType === 'HARD';
  return [
    ...level('entry', 'Entry', call.entryPrice),
    ...level('target', 'Target', call.targetPrice),
    // A trailing stop is drawn as the line that it was.
    ...level('stop', 'Stop', isHard ? call.stopLoss : stop === null ? call.stopLevel : null),
  ];
}

/** What the chart draws of a call; null where no prices are known. */
export function lifeChart(life: Life): ChartData | null {
  const { path, stop } = life;
  if (path === null) return null;
  const paths: ChartPath[] = stop === null ? [] : [{ kind: 'stop', title: 'Stop', ...stop }];
  return {
    ...path,
    hasMore: false,
    marks: lifeMarks(life),
    levels: lifeLevels(life),
    paths: paths.map(({ kind, title, time, price }) => ({ kind, title, time, price })),
  };
}
