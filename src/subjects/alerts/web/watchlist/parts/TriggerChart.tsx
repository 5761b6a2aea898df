import { type ReactNode, useMemo } from 'react';
import { timeframeFor } from '../../../rules/firingSpan.ts';
import { seenText } from '../../../rules/seenText.ts';
import { alertLevels } from '../../../../../market/bars/rules/stockExtras.ts';
import { marketNow, meta } from '../../../../../../web/live/market.ts';
import { PriceChart } from '../../../../stock/web/shared/chart/PriceChart.tsx';
import { dataWithin } from '../firingData.ts';
import type { PastTrigger, SavedAlert } from '../readAlerts.ts';
import { useBarsOf } from '../useBarsOf.ts';
import './TriggerChart.css';

type TriggerChartProps = {
  saved: SavedAlert;
  /** The newest first, at least one. */
  triggers: readonly PastTrigger[];
};

const DAY_MS = 86_400_000;

const momentOf = ({ marketTime, timestamp }: PastTrigger): number => Date.parse(marketTime ?? timestamp);

/** What the alert was told at a trigger. */
const textOf = ({ seen }: PastTrigger): string =>
  seen
    .filter(({ holds }) => holds !== false)
    .map(seenText)
    .join(' · ') || 'Fired';

/**
 * Where an alert fired on the prices that are shown, from a day before the first of these triggers; nothing where no bars of
 * then are known.
 */
export function TriggerChart({ saved, triggers }: TriggerChartProps): ReactNode {
  const feed = meta.value?.feed?.name ?? null;
  const own = useMemo(
    () => triggers.filter(({ source }) => source === null || feed === null || source === feed),
    [triggers, feed],
  );
  return own.length === 0 ? null : <Chart saved={saved} triggers={own} />;
}

function Chart({ saved, triggers }: TriggerChartProps): ReactNode {
  const times = triggers.map(momentOf);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  // The bars of a moment ago: another look at the same triggers draws the same.
  const to = useMemo(() => Math.max(last, marketNow()) + 1, [last]);
  const from = first - DAY_MS;
  const { answer, hasFailed } = useBarsOf(saved.symbol, timeframeFor(from, to), to);
  const { logic_json: logic } = saved;
  const data = useMemo(
    () =>
      answer &&
      dataWithin(answer, from, to, {
        levels: logic === null ? [] : alertLevels([logic]),
        marks: triggers.map((trigger) => ({
          kind: 'trigger',
          time: momentOf(trigger),
          text: textOf(trigger),
        })),
      }),
    [answer, from, to, logic, triggers],
  );
  if (hasFailed || (answer !== null && data === null)) return null;
  return (
    <div className="trigger-chart" aria-busy={data === null}>
      {data === null ? (
        <p className="muted">Loading the chart of {saved.symbol}…</p>
      ) : (
        <PriceChart label={`${saved.symbol}, where the alert fired`} data={data} fitsAll />
      )}
    </div>
  );
}
