import { type ReactNode, useRef } from 'react';
import { TOO_OFTEN } from '#subjects/alerts/rules/rehearsal.ts';
import {
  isTooOften,
  perDay,
  stricterText,
  withStricter,
} from '#subjects/alerts/rules/scanAlerts/scanRehearsal.ts';
import { aDayText, firedText } from '#subjects/alerts/rules/scanAlerts/scanAlertText.ts';
import type { ScanRehearsal } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { isMissing } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { BACKTEST_PAUSE_MS, backtestInTurn } from '../backtestTurn.ts';
import { rehearseScanAlert, type ScanAlertDraft } from './api.ts';

/**
 * Backtests an alert on a scan, again a moment after each change.
 * @param isWhole false while a number of it is not whole: nothing is tested
 */
export function useScanBacktest(draft: ScanAlertDraft, isWhole: boolean) {
  const { scan, event, scope, cooldown_minutes: cooldown, day_maximum: dayMaximum } = draft;
  const key = isWhole ? JSON.stringify([scan, event, scope, cooldown, dayMaximum]) : null;
  const { data, isCurrent, isLoading, error, problem, reload } = useLoaded(
    (signal) => backtestInTurn(signal, () => rehearseScanAlert(draft, signal)),
    'The backtest failed. Try again.',
    { of: key, pauseMs: BACKTEST_PAUSE_MS },
  );
  return {
    found: isCurrent && !isLoading ? data : null,
    isTesting: key !== null && isLoading,
    error: isLoading ? null : error,
    // A server that knows only what the specification names has none.
    isOffered: !isMissing(problem),
    reload,
  };
}

type Backtest = ReturnType<typeof useScanBacktest>;

/** Beside the button that adds the alert, where the section above may be out of sight. */
export const BacktestNote = ({ found }: Pick<Backtest, 'found'>): ReactNode =>
  found !== null && found.days > 0 && <p className="scan-alert-note">{oftenText(found)}</p>;

const oftenText = (found: ScanRehearsal): string =>
  found.fired === 0 ? 'Would not have fired' : `Would have fired ${aDayText(perDay(found))}`;

type ScanBacktestProps = {
  backtest: Backtest;
  draft: ScanAlertDraft;
  change(part: Partial<ScanAlertDraft>): void;
};

/** How often an alert on a scan would have fired, before it is added. */
export function ScanBacktest({ backtest, draft, change }: ScanBacktestProps): ReactNode {
  const { found, isTesting, error, isOffered, reload } = backtest;
  const status = useRef<HTMLDivElement>(null);
  if (!isOffered) return null;
  return (
    <section className="stack gap-2" aria-label="Backtest" aria-busy={isTesting}>
      <h3 className="small">How often it would have fired</h3>
      <div ref={status} role="status" tabIndex={-1} className="scan-alert-found">
        {isTesting && <p className="muted">Testing the last 20 trading days…</p>}
        {found && <Found found={found} />}
      </div>
      {error !== null && (
        <Banner action={<Button onClick={() => void reload()}>Retry</Button>}>{error}</Banner>
      )}
      {found && isTooOften(found) && (
        <TooOften
          found={found}
          onApply={(stricter) => {
            const { scan, dayMaximum } = withStricter(
              { scan: draft.scan, dayMaximum: draft.day_maximum },
              stricter,
            );
            change({ scan, day_maximum: dayMaximum });
            // The button goes away; its result comes here.
            status.current?.focus();
          }}
        />
      )}
      {found?.notRehearsed.map((sentence) => (
        <p className="muted" key={sentence}>
          {sentence}
        </p>
      ))}
    </section>
  );
}

const MAX_NAMED = 8;

function Found({ found }: { found: ScanRehearsal }): ReactNode {
  const { days, newest } = found;
  if (days === 0) return <p>Not tested: no past trading day of these stocks could be used.</p>;
  const symbols = newest.slice(0, MAX_NAMED).map(({ symbol }) => symbol);
  return (
    <>
      <p>
        <strong>{oftenText(found)}</strong>
        {`: ${firedText(found)}.`}
        {symbols.length > 0 && ` Last: ${symbols.join(', ')}.`}
      </p>
      {days < 5 && <p className="muted">That is little history: the number may be far off.</p>}
    </>
  );
}

type TooOftenProps = {
  found: ScanRehearsal;
  onApply(stricter: NonNullable<ScanRehearsal['stricter']>): void;
};

/** Warns of an alert that fires too often, and makes it stricter with one press. */
function TooOften({ found: { stricter }, onApply }: TooOftenProps): ReactNode {
  if (stricter === null) {
    return (
      <Banner variant="warn">
        More than {TOO_OFTEN} times a day. Choose a narrower scan, or fewer stocks: no single limit brings it
        to {TOO_OFTEN}.
      </Banner>
    );
  }
  return (
    <Banner
      variant="warn"
      action={<Button onClick={() => onApply(stricter)}>{stricterText(stricter)}</Button>}
    >
      More than {TOO_OFTEN} times a day is too often to follow. A stricter alert would have fired{' '}
      {aDayText(stricter.perDay)}:
    </Banner>
  );
}
