import { type ReactNode, useEffect, useState } from 'react';
import { seenInFull } from '../../../rules/seenText.ts';
import { formatMoment } from '../../../../calls/rules/callFormat.ts';
import { EVENT_PAST } from '../../../rules/scanAlerts/scanAlertText.ts';
import type { ScanAlertView, ScanTriggerView } from '../../../rules/scanAlerts/scanTrigger.ts';
import { api, messageOf, unwrap } from '../../../../../../web/api/client.ts';
import { muteStock } from '../../shared/scanAlerts/api.ts';
import { scanAlertsChanged } from '../../shared/scanAlerts/scanAlertTurns.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { FormError } from '../../../../../../web/ui/FormError.tsx';
import { readScanTriggers } from './readScanTriggers.ts';

/** What an alert on a scan told, newest first, and the stocks that it is not to tell today. */
export function ScanTriggers({ alert }: { alert: ScanAlertView }): ReactNode {
  const [triggers, setTriggers] = useState<readonly ScanTriggerView[] | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    unwrap(api['scan-alerts']({ id: alert.id }).triggers.get(), readScanTriggers).then(
      (loaded) => {
        if (!isWanted) return;
        setTriggers(loaded.triggers);
        setError(null);
      },
      (problem: unknown) => {
        if (isWanted) setError(messageOf(problem, 'Failed to load the history'));
      },
    );
    return () => {
      isWanted = false;
    };
    // With every reading of the list, which comes after whatever was told or changed: one that was deleted is gone by then.
  }, [alert]);

  async function mute(symbol: string, isMuted: boolean): Promise<void> {
    try {
      await muteStock(alert.id, symbol, isMuted);
      scanAlertsChanged();
    } catch (problem) {
      setError(messageOf(problem, 'Failed to save alert'));
    }
  }

  return (
    <div className="scan-triggers">
      {error !== null && <FormError>{error}</FormError>}
      {alert.muted_today.length > 0 && (
        <p>
          Not told today:{' '}
          {alert.muted_today.map((symbol) => (
            <Button
              key={symbol}
              variant="quiet"
              aria-label={`Tell ${symbol} again`}
              title={`Tell ${symbol} again`}
              onClick={() => void mute(symbol, false)}
            >
              {symbol} <span aria-hidden>×</span>
            </Button>
          ))}
        </p>
      )}
      {triggers === null && error === null && <p className="muted">Loading what this alert fired on…</p>}
      {triggers?.length === 0 && <p className="muted">It has not fired yet.</p>}
      {triggers !== null && triggers.length > 0 && (
        <ol className="scan-trigger-list">
          {triggers.map((trigger) => (
            <li key={trigger.id}>
              <TriggerLine trigger={trigger} />
              {trigger.symbol !== null && !alert.muted_today.includes(trigger.symbol) && (
                <Button
                  variant="quiet"
                  aria-label={`Not this stock today: ${trigger.symbol}`}
                  onClick={() => void mute(trigger.symbol ?? '', true)}
                >
                  Not this stock today
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function TriggerLine({ trigger }: { trigger: ScanTriggerView }): ReactNode {
  const { symbol, symbols, event, marketTime, seen, silent } = trigger;
  const what = symbol ?? `${symbols.length} more: ${symbols.join(', ')}`;
  return (
    <details>
      <summary>
        {formatMoment(Date.parse(marketTime))} <strong>{what}</strong> {EVENT_PAST[event].toLowerCase()}
        {silent && <span className="muted"> (snoozed)</span>}
      </summary>
      {seen.map((one) => (
        <p key={seenInFull(one)}>{seenInFull(one)}</p>
      ))}
    </details>
  );
}
