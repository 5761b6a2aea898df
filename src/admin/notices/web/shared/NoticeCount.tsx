import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { NavBadge } from '#ui/NavBadge.tsx';
import { fetchNotices, noticeCount, NOTICES_EVERY_MS } from './noticeCount.ts';

/** How many server notices there are, for the navigation of administrators. */
export function NoticeCount() {
  useLoaded(fetchNotices, ADMIN_MESSAGES.loadNotices, { everyMs: NOTICES_EVERY_MS });
  return <NavBadge count={noticeCount.value} one="server notice" many="server notices" />;
}
