import type { ReactNode } from 'react';
import { alertsAnswer } from '#subjects/alerts/answers/alert.ts';
import { showAlert } from '#subjects/alerts/web/shared/showAlert.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import { MESSAGES } from '#texts/messages.ts';
import { readerOf, request } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Button } from '#ui/Button.tsx';
import { useAlertTurns } from '../shared/chart/useStockExtras.ts';

const fetchAlerts = async (symbol: string) =>
  (await request('GET /api/alerts', { query: { symbol }, read: readerOf(alertsAnswer) })).alerts;

/** The user's alerts on a stock. Each leads to its editor. */
export function OwnAlerts({ code }: { code: string }): ReactNode {
  const turns = useAlertTurns(code);
  const { data, isCurrent, error, reload } = useLoaded(
    () => fetchAlerts(code),
    MESSAGES.watchlist.loadAlerts,
    {
      of: code,
      again: turns,
    },
  );
  return (
    <section className="stack gap-1" aria-label={`Your alerts on ${code}`}>
      <h3>Alerts</h3>
      {error !== null && (
        <p role="alert">
          {error} <Button onClick={() => void reload()}>Retry</Button>
        </p>
      )}
      {error === null && !isCurrent && <p className="muted small">Loading…</p>}
      {isCurrent && data?.length === 0 && <p className="muted small">No alerts on {code}.</p>}
      {isCurrent && data !== null && data.length > 0 && (
        <ul className="stock-pane-list">
          {data.map(({ id, name, logic_json: logic, active }) => (
            <li key={id}>
              <button type="button" className="touch" onClick={() => showAlert(code, id)}>
                {name ?? (logic === null ? 'Created in a newer version' : logicText(logic, null))}
              </button>
              {!active && <span className="muted small"> Off</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
