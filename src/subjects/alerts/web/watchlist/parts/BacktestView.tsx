import type { ReactNode } from 'react';
import {
  type Backtest,
  TOO_OFTEN,
  ONCE_NOT_BACKTESTED,
  oftenText,
  periodText,
  type BacktestedAlert,
} from '#subjects/alerts/rules/backtest.ts';
import { formatNumber } from '#texts/format.ts';
import { Banner, RetryBanner } from '#ui/Banner.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { BACKTEST_PAUSE_MS } from '../../shared/alertRequests.ts';
import { runBacktest } from '../api.ts';

type RunningBacktest = {
  backtest: Backtest | null;
  /** True if the backtest belongs to a different version of the alert. */
  isOld: boolean;
  error: string | null;
  reload(): Promise<void>;
};

/**
 * Backtests an alert after each change of its conditions or cooldown, after a pause.
 * @param alert null while its conditions are incomplete, which prevents the backtest
 */
export function useBacktest(symbol: string, alert: BacktestedAlert | null): RunningBacktest {
  // The object changes with every edit, its text does not.
  const text = alert === null ? null : JSON.stringify(alert);
  const { data, isLoading, error, reload } = useLoaded(
    (signal) => runBacktest(symbol, JSON.parse(text ?? '') as BacktestedAlert, signal),
    'The backtest failed. Try again.',
    { of: text && `${symbol} ${text}`, pauseMs: BACKTEST_PAUSE_MS },
  );
  const isOld = text === null || isLoading;
  return { backtest: data, isOld, error: isOld ? null : error, reload };
}

type BacktestViewProps = {
  /** Whether the conditions are complete. */
  isWhole: boolean;
  running: RunningBacktest;
  persistent: boolean;
};

export function BacktestView({ isWhole, running, persistent }: BacktestViewProps): ReactNode {
  const { backtest, isOld, error, reload } = running;
  return (
    <section className="stack gap-2 table-text" aria-label="Backtest" aria-busy={isOld && isWhole}>
      {backtest?.tooOften && persistent && (
        <Banner variant="warn">
          More than {TOO_OFTEN} times a day: {formatNumber(backtest.busiestDay, 0)} on the busiest day.
          Tighten the conditions.
        </Banner>
      )}
      {error !== null && <RetryBanner onRetry={reload}>{error}</RetryBanner>}
      <Disclosure label="Backtest">
        {!persistent && isWhole && <p className="warn-text">{ONCE_NOT_BACKTESTED}</p>}
        {!isWhole ? (
          <p className="muted">Complete the conditions to run a backtest.</p>
        ) : backtest === null ? (
          error === null && <SkeletonRows rows={3} label="Backtesting…" />
        ) : (
          <div className="stack gap-2" data-old={isOld || undefined}>
            <Result backtest={backtest} />
          </div>
        )}
      </Disclosure>
    </section>
  );
}

function Result({ backtest }: { backtest: Backtest }): ReactNode {
  const { minutes, days, notRehearsed } = backtest;
  const run = minutes ?? days;
  const often = oftenText(backtest);
  return (
    <>
      {notRehearsed.map((sentence) => (
        <p key={sentence} className="warn-text">
          {sentence}
        </p>
      ))}
      {run && (
        <p role="status">
          <strong>{periodText(run)}</strong>
          {often !== null && <span className="muted"> · {often}</span>}
        </p>
      )}
    </>
  );
}
