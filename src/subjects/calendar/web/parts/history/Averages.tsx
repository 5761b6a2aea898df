import type { ReactNode } from 'react';
import type { EventHistory } from '#subjects/calendar/web/api.ts';
import { averageLabel, meanText } from './historyTexts.ts';

/** What the market did on average, each with the number of its cases. */
export function Averages({ history }: { history: EventHistory }): ReactNode {
  const { averages, releases, symbol } = history;
  if (averages.length === 0) return null;
  return (
    <dl className="stack gap-1">
      {averages.map((average) => (
        <div key={average.of}>
          <dt>{averageLabel(average, releases)}</dt>
          <dd>
            Market +5 min {meanText(average.after5)}, +30 min {meanText(average.after30)}
            {symbol !== null &&
              ` · ${symbol} +5 min ${meanText(average.stock5)}, +30 min ${meanText(average.stock30)}`}
          </dd>
        </div>
      ))}
    </dl>
  );
}
