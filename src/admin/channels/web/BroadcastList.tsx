import './BroadcastList.css';
import type { Broadcast } from './readChannels.ts';
import { momentText } from './channelTexts.ts';
import { OutcomeText } from './OutcomeText.tsx';

/** What was sent last, and who got it. */
export function BroadcastList({ broadcasts }: { broadcasts: readonly Broadcast[] }) {
  if (broadcasts.length === 0) return <p className="muted">Nothing sent yet.</p>;
  return (
    <ol className="broadcast-list">
      {broadcasts.map((broadcast) => (
        <li key={broadcast.id}>
          <p className="broadcast-text">{broadcast.message}</p>
          <p className="muted">
            {broadcast.sentAt !== null && (
              <time dateTime={broadcast.sentAt}>{momentText(broadcast.sentAt)}</time>
            )}
            {broadcast.by !== null && ` by ${broadcast.by}`}
          </p>
          <ul>
            {broadcast.results.map((result, index) => (
              <li key={`${result.channelId ?? result.name} ${index}`}>
                <span className="broadcast-channel">{result.name}</span>
                <OutcomeText outcome={result} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
