import { type ReadonlySignal, signal } from '@preact/signals-react';
import { type ServerAlertsAnswer, serverAlertsAnswer } from '#admin/serverAlerts/answers/serverAlerts.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { NavBadge } from '#ui/Pill.tsx';
import { readerOf, request } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';

const count = signal(0);

/** Number of server alerts in the server's last answer. */
export const serverAlertCount: ReadonlySignal<number> = count;

export const SERVER_ALERTS_EVERY_MS = 60_000;

export async function fetchServerAlerts(): Promise<ServerAlertsAnswer> {
  const answer = await request('GET /api/admin/notices', { read: readerOf(serverAlertsAnswer) });
  count.value = answer.notices.length;
  return answer;
}

export function ServerAlertCount() {
  useLoaded(fetchServerAlerts, ADMIN_MESSAGES.loadNotices, { everyMs: SERVER_ALERTS_EVERY_MS });
  return <NavBadge count={serverAlertCount.value} one="server alert" many="server alerts" />;
}
