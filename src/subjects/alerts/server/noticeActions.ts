import { formatTime } from '#texts/format.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { AppError } from '#platform/http/errors.ts';
import { createCallerLimit } from '#platform/http/requestLimits.ts';
import { DEVICES } from '#subjects/devices/contract.ts';
import type { NoticeAction } from '#platform/push/rules/notice.ts';
import { quietUntil } from '#subjects/devices/rules/device.ts';

const MAX_A_MINUTE = 30;
const TOO_OLD = 'This notification is too old for its buttons. Open Bellbird instead.';
const GONE = 'This alert no longer exists.';

/**
 * Runs the action of a pressed button. @returns a sentence for the notification
 * @throws AppError 404 for an expired or invalid token, a removed device, or a deleted alert
 */
function act(
  { alerts, clock, devices, push }: App,
  { token, action }: { token: string; action: NoticeAction },
): string {
  const now = clock.now();
  const named = push.tokens.read(token, now);
  const userId = named && devices.ownerOf(named.deviceId);
  if (named === null || userId === null) throw new AppError(404, TOO_OLD);
  const { kind, alertId } = named;
  const until = quietUntil(action, now);
  const alert = kind === 'alert' ? alerts.get(userId, alertId) : alerts.scanAlerts.get(userId, alertId);
  if (!alert) throw new AppError(404, GONE);
  if (!alert.active) return 'This alert is switched off.';
  // The longer snooze applies.
  const end = Math.max(until, alert.snoozedUntil ?? 0);
  if (kind === 'alert') alerts.snooze(userId, alertId, end);
  else alerts.scanAlerts.change(userId, alertId, { snoozed_until: new Date(end).toISOString() });
  return action === 'today' ? 'Off until the next trading day.' : `Snoozed until ${formatTime(end)} Sydney.`;
}

/** The buttons of notifications, authenticated by their token. */
export function createNoticeActions(app: App) {
  const limit = createCallerLimit(app, MAX_A_MINUTE, 'Too many presses.');
  return {
    name: 'noticeActions',
    routes: () =>
      serve(DEVICES, {
        'POST /api/devices/act': ({ body, request }) => {
          limit(null, request);
          return { text: act(app, body) };
        },
      }),
  } satisfies Part;
}
