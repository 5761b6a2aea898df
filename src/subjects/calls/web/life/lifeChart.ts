import { formatCallPrice } from '#subjects/calls/rules/callFormat.ts';
import type { Reached } from '#subjects/calls/rules/types.ts';
import type { ChartData, ChartLevel, ChartMark, ChartPath } from '#market/bars/rules/chart.ts';
import { type Adjustment, adjustedPrice, factorAfter } from '#market/rules/adjustment.ts';
import type { Life } from './useLife.ts';

const priced = (price: number | null): { price?: number } => (price === null ? {} : { price });

function reachedMark(kind: ChartMark['kind'], what: string, reached: Reached | null): ChartMark[] {
  if (reached === null) return [];
  return [{ kind, time: Date.parse(reached.at), price: reached.price, text: what }];
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
    ...reachedMark('entry', isBuy ? 'Filled' : 'First trade after the posting', call.entryTrade),
    ...reachedMark('level', 'Target reached', call.targetReached),
    ...reachedMark('level', 'Stop reached', call.stopReached),
    ...momentMark('exit', `${ended} by ${by}`, call.closedAt, call.priceAtClose),
    ...reachedMark('exit', 'First trade after the end', call.exitTrade),
    ...call.corrections.flatMap(({ at, by: who, reason }) =>
      momentMark('correction', `Corrected by ${who.display}: ${reason}`, at, null),
    ),
  ].sort((a, b) => a.time - b.time);
}

function lifeLevels({ call, stop, path }: Life): ChartLevel[] {
  const factor = factorAfter(path?.adjustments ?? [], Date.parse(call.submittedAt ?? ''));
  const level = (kind: ChartLevel['kind'], title: string, price: number | null): ChartLevel[] =>
    price === null ? [] : [{ kind, title, price: adjustedPrice(price, factor) }];
  const isHard = call.stopLossType === 'HARD';
  return [
    ...level('entry', 'Entry', call.entryPrice),
    ...level('target', 'Target', call.targetPrice),
    // A trailing stop is drawn as the line that it was.
    ...level('stop', 'Stop', isHard ? call.stopLoss : stop === null ? call.stopLevel : null),
  ];
}

/** A mark as a chart says it, where no column has the price. */
const inWords = (mark: ChartMark): ChartMark =>
  mark.price === undefined ? mark : { ...mark, text: `${mark.text}, ${formatCallPrice(mark.price)}` };

/** A mark where the adjusted bars have its price. */
const adjusted = (mark: ChartMark, adjustments: readonly Adjustment[]): ChartMark =>
  mark.price === undefined
    ? mark
    : { ...mark, price: adjustedPrice(mark.price, factorAfter(adjustments, mark.time)) };

/** The line of a trailing stop; of an open call it goes on to the newest bar, which the stream brings. */
function stopPaths({ call, stop, path }: Life, newest: number): ChartPath[] {
  const adjustments = path?.adjustments ?? [];
  // Worked out from adjusted bars, it is none of the call's own stop.
  if (stop === null || (stop.from === 'bars' && adjustments.length > 0)) return [];
  const price = stop.price.map((at, index) =>
    adjustedPrice(at, factorAfter(adjustments, stop.time[index] ?? 0)),
  );
  const last = price.at(-1);
  if (last === undefined) return [];
  const goesOn = call.status === 'open' && call.stopReached === null && newest > (stop.time.at(-1) ?? 0);
  const time = goesOn ? [...stop.time, newest] : stop.time;
  return [{ kind: 'stop', title: 'Stop', time, price: goesOn ? [...price, last] : price }];
}

/** What the chart draws of a call; null where no prices are known. */
export function lifeChart(life: Life): ChartData | null {
  const { path } = life;
  if (path === null) return null;
  return {
    ...path,
    hasMore: false,
    marks: lifeMarks(life).map((mark) => adjusted(inWords(mark), path.adjustments)),
    levels: lifeLevels(life),
    paths: stopPaths(life, path.bars.time.at(-1) ?? 0),
  };
}
