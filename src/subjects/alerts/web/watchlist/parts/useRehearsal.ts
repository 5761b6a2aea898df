import type { RehearsedAlert, Rehearsal } from '#subjects/alerts/rules/rehearsal.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { BACKTEST_PAUSE_MS, backtestInTurn } from '#subjects/alerts/web/shared/backtestTurn.ts';
import { rehearse } from '../api.ts';

export type Rehearsing = {
  /** The newest answer; null before the first. */
  rehearsal: Rehearsal | null;
  /** It is of another form of the alert than the editor has. */
  isOld: boolean;
  /** Why the last one failed; null when it did not. */
  error: string | null;
  retry(): void;
};

/**
 * Backtests an alert whenever its conditions or its cooldown have changed, after a pause.
 * @param alert null while its conditions are not whole: then nothing is asked
 */
export function useRehearsal(symbol: string, alert: RehearsedAlert | null): Rehearsing {
  // It is another object with each change of the alert.
  const text = alert === null ? null : JSON.stringify(alert);
  const { data, isLoading, error, reload } = useLoaded(
    (signal) => backtestInTurn(signal, () => rehearse(symbol, JSON.parse(text ?? '') as RehearsedAlert)),
    'The backtest failed. Try again.',
    { of: text && `${symbol} ${text}`, pauseMs: BACKTEST_PAUSE_MS },
  );
  const isOld = text === null || isLoading;
  return { rehearsal: data, isOld, error: isOld ? null : error, retry: () => void reload() };
}
