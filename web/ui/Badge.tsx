import { Pill } from './Pill.tsx';

/** A user in a line: the first two letters in capitals, the name, and the subscription as a pill. */
export function Badge({ username, subscriptionType }: { username: string; subscriptionType: string }) {
  return (
    <span className="badge">
      <span className="badge-letters" aria-hidden>
        {[...username].slice(0, 2).join('').toUpperCase()}
      </span>
      <span className="badge-name" title={username}>
        {username}
      </span>
      <Pill look={subscriptionType === 'premium' ? 'accent' : 'plain'}>{subscriptionType}</Pill>
    </span>
  );
}
