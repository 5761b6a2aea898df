import { settings } from '../shared/settings.ts';
import { Badge } from '../ui/Badge.tsx';

/** Who is signed in, once the settings are there. */
export function UserBadge() {
  const known = settings.value;
  if (!known) return <span className="badge badge-loading" role="status" aria-label="Loading account…" />;
  return <Badge username={known.username} subscriptionType={known.subscriptionType} />;
}
