import type { ReactNode } from 'react';
import { leaderboardAnswer } from '#subjects/calls/answers/board.ts';
import { formatCallPrice, formatStatus } from '#subjects/calls/rules/callFormat.ts';
import { ownCallTurns } from '#subjects/calls/web/shared/callSignals.ts';
import { MESSAGES } from '#texts/messages.ts';
import { readerOf, request } from '#web/api/client.ts';
import { CALLS_PATH } from '#web/router/routes.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { Button } from '#ui/Button.tsx';

const fetchCalls = async () =>
  (await request('GET /api/calls/leaderboard', { read: readerOf(leaderboardAnswer) })).calls;

const MAX_SHOWN = 5;

/** The newest calls on a stock, of all submitters. One answer serves all stocks. */
export function StockCalls({ code }: { code: string }): ReactNode {
  const { data, error, reload } = useLoaded(fetchCalls, MESSAGES.calls.load, { again: ownCallTurns.value });
  const calls = (data ?? []).filter(({ symbol }) => symbol === code).slice(0, MAX_SHOWN);
  return (
    <section className="stack gap-1" aria-label={`Calls on ${code}`}>
      <h3>Calls</h3>
      {error !== null && (
        <p role="alert">
          {error} <Button onClick={() => void reload()}>Retry</Button>
        </p>
      )}
      {error === null && data === null && <p className="muted small">Loading…</p>}
      {data !== null && calls.length === 0 && <p className="muted small">No calls on {code}.</p>}
      {calls.length > 0 && (
        <ul className="stock-pane-list">
          {calls.map(({ publicId, status, isShort, submittedBy, entryPrice, targetPrice }) => (
            <li key={publicId}>
              <a className="touch" href={`#${CALLS_PATH}/${publicId}`}>
                {submittedBy.display}: {isShort && 'short '}
                {formatCallPrice(entryPrice)} to {formatCallPrice(targetPrice)}
              </a>{' '}
              <span className="muted small">{formatStatus(status)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
