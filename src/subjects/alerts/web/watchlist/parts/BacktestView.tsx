import { DAY_MS } from '#lib/units.ts';
import { memo, type ReactNode, useMemo, useState } from 'react';
import {
  type Firing,
  type Backtest,
  type BacktestPeriod,
  TOO_OFTEN,
  ONCE_NOT_BACKTESTED,
  type BacktestedPeriod,
  firingTime,
  oftenText,
  PERIOD_NAMES,
  periodText,
  type BacktestedAlert,
} from '#subjects/alerts/rules/backtest.ts';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import type { ChartLevel, ChartExtras } from '#market/bars/rules/chart.ts';
import { alertLevels } from '#subjects/alerts/rules/alertText.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { formatNumber } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { timeframeFor } from '#subjects/alerts/rules/trigger.ts';
import { dataOfCloses, dataWithin, FiringChart, useBarsOf } from './FiringChart.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { BACKTEST_PAUSE_MS, backtestInTurn } from '../../shared/alertRequests.ts';
import { runBacktest } from '../api.ts';

type RunningBacktest = {
  backtest: Backtest | null;
  /** True if the backtest belongs to a different version of the alert. */
  isOld: boolean;
  error: string | null;
  retry(): void;
};

/**
 * Backtests an alert after each change of its conditions or cooldown, after a pause.
 * @param alert null while its conditions are incomplete, which prevents the backtest
 */
export function useBacktest(symbol: string, alert: BacktestedAlert | null): RunningBacktest {
  // The object changes with every edit, its text does not.
  const text = alert === null ? null : JSON.stringify(alert);
  const { data, isLoading, error, reload } = useLoaded(
    (signal) => backtestInTurn(signal, () => runBacktest(symbol, JSON.parse(text ?? '') as BacktestedAlert)),
    'The backtest failed. Try again.',
    { of: text && `${symbol} ${text}`, pauseMs: BACKTEST_PAUSE_MS },
  );
  const isOld = text === null || isLoading;
  return { backtest: data, isOld, error: isOld ? null : error, retry: () => void reload() };
}

type BacktestedChartProps = {
  symbol: string;
  run: BacktestedPeriod;
  period: BacktestPeriod;
  firings: readonly Firing[];
  levels: readonly ChartLevel[];
};

/** A chart of the backtest. It draws closes if there are no bars. */
function BacktestedChart({ symbol, run, period, firings, levels }: BacktestedChartProps): ReactNode {
  const tf = period === 'days' ? 'D' : timeframeFor(run.from, run.to);
  const { answer, hasFailed } = useBarsOf(symbol, tf, run.to + 1);
  const extras = useMemo(
    (): ChartExtras => ({
      levels,
      marks: firings.map(({ at, price }) => ({
        kind: 'trigger',
        time: at,
        price,
        text: 'Would have fired',
      })),
    }),
    [firings, levels],
  );
  const data = useMemo(() => {
    // A daily bar begins at midnight UTC of its date, up to a day before the period.
    const from = tf === 'D' ? run.from - DAY_MS : run.from;
    const known = answer && dataWithin(answer, from, run.to, extras);
    return known ?? (answer !== null || hasFailed ? dataOfCloses(run, tf, extras) : null);
  }, [answer, hasFailed, run, tf, extras]);
  const label = `Backtest of ${symbol}: ${periodText(run)}`;
  const isWaiting = answer === null && !hasFailed;
  return <FiringChart symbol={symbol} label={label} data={data} isWaiting={isWaiting} />;
}

type BacktestViewProps = {
  symbol: string;
  logic: Logic | null;
  running: RunningBacktest;
  persistent: boolean;
};

export function BacktestView(props: BacktestViewProps): ReactNode {
  const { symbol, logic, running, persistent } = props;
  const { backtest, isOld, error, retry } = running;
  const [isOpen, setOpen] = useState(false);
  // The logic object changes with every edit, its text does not.
  const text = logic === null ? '[]' : JSON.stringify(alertLevels([logic]));
  const levels = useMemo(() => JSON.parse(text) as ChartLevel[], [text]);
  return (
    <section
      className="backtest stack gap-2 table-text"
      aria-label="Backtest"
      aria-busy={isOld && logic !== null}
    >
      {backtest?.tooOften && persistent && (
        <Banner variant="warn">
          More than {TOO_OFTEN} times a day: {formatNumber(backtest.busiestDay, 0)} on the busiest day.
          Tighten the conditions.
        </Banner>
      )}
      {error !== null && <Banner action={<Button onClick={retry}>Retry</Button>}>{error}</Banner>}
      <Disclosure label="Backtest" onToggle={setOpen}>
        {isOpen && (
          <>
            {!persistent && logic !== null && <p className="warn-text">{ONCE_NOT_BACKTESTED}</p>}
            {logic === null ? (
              <p className="muted">Complete the conditions to run a backtest.</p>
            ) : backtest === null ? (
              error === null && <SkeletonRows rows={3} label="Backtesting…" />
            ) : (
              <div className="stack gap-2" data-old={isOld || undefined}>
                <Result symbol={symbol} backtest={backtest} levels={levels} />
              </div>
            )}
          </>
        )}
      </Disclosure>
    </section>
  );
}

type ResultProps = {
  symbol: string;
  backtest: Backtest;
  levels: readonly ChartLevel[];
};

/** Memoized without the conditions, so that typing does not redraw the chart. */
const Result = memo(function Result(props: ResultProps): ReactNode {
  const { symbol, backtest, levels } = props;
  const [chosen, setChosen] = useState<BacktestPeriod>('minutes');
  const offered = (['minutes', 'days'] as const).filter((name) => backtest[name] !== null);
  const period = offered.includes(chosen) ? chosen : offered[0];
  const run = period && backtest[period];
  const often = oftenText(backtest);
  const firings = useMemo(
    () => backtest.firings.filter((firing) => firing.period === period),
    [backtest, period],
  );
  return (
    <>
      {backtest.notRehearsed.map((sentence) => (
        <p key={sentence} className="warn-text">
          {sentence}
        </p>
      ))}
      {run && period && (
        <>
          <div className="row justify-between">
            <p role="status">
              <strong>{periodText(run)}</strong>
              {often !== null && <span className="muted"> · {often}</span>}
            </p>
            {offered.length > 1 && <Periods offered={offered} chosen={period} onChoose={setChosen} />}
          </div>
          <BacktestedChart symbol={symbol} run={run} period={period} firings={firings} levels={levels} />
          <Firings fired={run.fired} firings={firings} />
        </>
      )}
    </>
  );
});

type PeriodsProps = {
  offered: readonly BacktestPeriod[];
  chosen: BacktestPeriod;
  onChoose(period: BacktestPeriod): void;
};

const Periods = ({ offered, chosen, onChoose }: PeriodsProps): ReactNode => (
  <div className="segments" role="group" aria-label="Period">
    {offered.map((name) => (
      <button
        key={name}
        type="button"
        className="tool"
        aria-pressed={name === chosen}
        onClick={() => onChoose(name)}
      >
        {PERIOD_NAMES[name]}
      </button>
    ))}
  </div>
);

function Firings({ fired, firings }: { fired: number; firings: readonly Firing[] }): ReactNode {
  if (firings.length === 0) return null;
  return (
    <Disclosure label="Times and prices">
      <div className="backtest-scroll box" tabIndex={0} role="region" aria-label="Times and prices">
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col">Time (Sydney)</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {firings.toReversed().map(({ at, price, period }, index) => (
              <tr key={index}>
                <td>{firingTime({ at, period })}</td>
                <td className="is-number">{priceText(price)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {fired > firings.length && <p className="muted">Newest {formatNumber(firings.length, 0)} shown</p>}
    </Disclosure>
  );
}
