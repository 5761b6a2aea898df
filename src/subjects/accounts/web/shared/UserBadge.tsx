import { Pill } from '#ui/Pill.tsx';
import { settings } from '#web/shared/settings.ts';
import './accounts.css';

export function UserBadge() {
  const known = settings.value;
  if (!known) return <span className="badge badge-loading" role="status" aria-label="Loading account…" />;
  const { username, subscriptionType } = known;
  return (
    <span className="badge">
      <span className="badge-letters" aria-hidden>
        {[...username].slice(0, 2).join('').toUpperCase()}
      </span>
      <span className="badge-name" title={username}>
        {username}
      </span>
      <Pill variant={subscriptionType === 'premium' ? 'accent' : 'plain'}>{subscriptionType}</Pill>
    </span>
  );
}
