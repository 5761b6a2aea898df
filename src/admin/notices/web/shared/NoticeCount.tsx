import { type ReadonlySignal, signal } from '@preact/signals-react';
import { type NoticesAnswer, noticesAnswer } from '#admin/notices/answers/notices.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { NavBadge } from '#ui/Pill.tsx';
import { readerOf, request } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';

const count = signal(0);

/** From the server's last answer. */
export const noticeCount: ReadonlySignal<number> = count;

export const NOTICES_EVERY_MS = 60_000;

export async function fetchNotices(): Promise<NoticesAnswer> {
  const answer = await request('GET /api/admin/notices', { read: readerOf(noticesAnswer) });
  count.value = answer.notices.length;
  return answer;
}

export function NoticeCount() {
  useLoaded(fetchNotices, ADMIN_MESSAGES.loadNotices, { everyMs: NOTICES_EVERY_MS });
  return <NavBadge count={noticeCount.value} one="server notice" many="server alerts" />;
}
