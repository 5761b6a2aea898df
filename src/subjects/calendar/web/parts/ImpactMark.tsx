import type { ReactNode } from 'react';
import { type Impact, IMPACTS } from '#subjects/calendar/rules/calendarEvent.ts';
import './ImpactMark.css';

/** How much an event is expected to move markets, as bars and as the word. */
export function ImpactMark({ impact }: { impact: Impact }): ReactNode {
  const level = IMPACTS.indexOf(impact) + 1;
  return (
    <span className={`impact-mark impact-${impact.toLowerCase()}`}>
      <span className="impact-bars" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <i key={bar} className={bar <= level ? 'is-full' : undefined} />
        ))}
      </span>
      {impact}
    </span>
  );
}
