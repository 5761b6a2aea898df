import { type ReactNode, useState } from 'react';
import { rehearsedText } from '../../../rules/scanAlerts/scanAlertText.ts';
import type { ScanRehearsal } from '../../../rules/scanAlerts/scanTrigger.ts';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { messageOf } from '../../../../../../web/api/client.ts';
import { rehearseScanAlert, type ScanAlertDraft } from './api.ts';
import './ScanAlertRehearsal.css';

/** Runs an alert on a scan over the past, when that is asked for. */
export function ScanAlertRehearsal({ draft }: { draft: ScanAlertDraft }): ReactNode {
  const [found, setFound] = useState<{ of: string; result: ScanRehearsal | string } | null>(null);
  const [isRunning, setRunning] = useState(false);
  const key = JSON.stringify([draft.scan, draft.event, draft.scope, draft.cooldownMinutes, draft.dayMaximum]);
  async function run(): Promise<void> {
    setRunning(true);
    try {
      setFound({ of: key, result: await rehearseScanAlert(draft) });
    } catch (problem) {
      setFound({ of: key, result: messageOf(problem, 'The backtest failed. Try again.') });
    }
    setRunning(false);
  }
  const result = found?.of === key ? found.result : null;
  return (
    <div className="scan-alert-past">
      <Button disabled={isRunning} onClick={() => void run()}>
        {isRunning ? 'Running the last 20 days…' : 'Try it on the last 20 days'}
      </Button>
      <div role="status">{typeof result === 'string' ? result : result && <Found result={result} />}</div>
    </div>
  );
}

function Found({ result }: { result: ScanRehearsal }): ReactNode {
  const { fired, stocks, days, busiestDay, newest, notRehearsed } = result;
  return (
    <>
      {days > 0 && (
        <p>
          {rehearsedText(fired, stocks)} in {days} trading {days === 1 ? 'day' : 'days'}
          {fired > 0 && `, ${busiestDay} on the busiest day`}.
          {newest.length > 0 &&
            ` Last: ${newest
              .slice(0, 8)
              .map(({ symbol }) => symbol)
              .join(', ')}.`}
        </p>
      )}
      {notRehearsed.map((sentence) => (
        <p className="muted" key={sentence}>
          {sentence}
        </p>
      ))}
    </>
  );
}
