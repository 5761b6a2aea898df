import { computed, effect, type ReadonlySignal, signal } from '@preact/signals-react';
import { type ServerAlertsAnswer, serverAlertsAnswer } from '#admin/serverAlerts/answers/serverAlerts.ts';
import type { AdminSectionId } from '#admin/web/shared/sections.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { NavBadge } from '#ui/Pill.tsx';
import { readerOf, request } from '#web/api/client.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';

const answer = signal<ServerAlertsAnswer | null>(null);

/** The server's last answer; null before the first one. */
export const lastServerAlerts: ReadonlySignal<ServerAlertsAnswer | null> = answer;

/** Numbers of things that wait for an administrator, by section. */
export const waitingIn: ReadonlySignal<Readonly<Partial<Record<AdminSectionId, number>>>> = computed(() => {
  if (answer.value === null) return {};
  const { notices, waiting } = answer.value;
  return {
    'server-alerts': notices.length,
    'upgrade-requests': waiting.upgradeRequests,
    'call-review': waiting.calls,
  };
});

export const SERVER_ALERTS_EVERY_MS = 60_000;

/** Two parts of the page that open together share an answer; ms. */
const SHARED_MS = 5000;

let running: Promise<ServerAlertsAnswer> | null = null;
let answeredAt = Number.NEGATIVE_INFINITY;

const token = computed(() => session.value.accessToken);
effect(function forgetAtLogout() {
  if (token.value !== null) return;
  answer.value = null;
  running = null;
  answeredAt = Number.NEGATIVE_INFINITY;
});

/** Callers at the same time share one request. @throws ApiError */
export async function fetchServerAlerts(): Promise<ServerAlertsAnswer> {
  running ??= request('GET /api/admin/notices', { read: readerOf(serverAlertsAnswer) }).finally(() => {
    running = null;
  });
  const loaded = await running;
  answer.value = loaded;
  answeredAt = performance.now();
  return loaded;
}

/** Like `fetchServerAlerts`, unless another part of the page did just that. @throws ApiError */
export const shareServerAlerts = async (): Promise<ServerAlertsAnswer> =>
  (performance.now() - answeredAt < SHARED_MS && answer.peek()) || fetchServerAlerts();

/** Counts again after an action. A failure is ignored, because the next load corrects the numbers. */
export function recountWaiting(): void {
  // A request that runs may have been answered before the action.
  void (running ?? Promise.resolve()).then(fetchServerAlerts).catch(() => undefined);
}

export function WaitingCount() {
  useLoaded(shareServerAlerts, ADMIN_MESSAGES.loadNotices, { everyMs: SERVER_ALERTS_EVERY_MS });
  const count = Object.values(waitingIn.value).reduce((sum, one) => sum + one, 0);
  return <NavBadge count={count} one="thing waits" many="things wait" />;
}
