import { quietHoursStore, QuietHoursOf } from './service.ts';
import { Repetition } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import { serve } from '#platform/http/routes.ts';
import { QUIET_HOURS } from '../contract.ts';
import { digestMessage } from '../rules/digest.ts';
import { isDigestDue } from '../rules/quietHours.ts';

/** A digest takes some ms; the others follow. */
const MAX_A_LOOK = 50;

/** Sends due digests; call it regularly. */
export function sendDigests({ chatsOf, clock, config, outbox }: App, quietHours: QuietHoursOf): void {
  if (quietHours.waitingUsers().length === 0) return;
  const now = clock.now();
  const held = new Map(outbox.held.users().map(({ userId, oldest }) => [userId, oldest]));
  // Their messages were not written after all.
  for (const userId of quietHours.waitingUsers()) if (!held.has(userId)) quietHours.released(userId);
  const due = [...held].filter(([userId, oldest]) => isDigestDue(quietHours.of(userId), oldest, now));
  for (const [userId] of due.slice(0, MAX_A_LOOK)) {
    const places = chatsOf(userId);
    outbox.held.release(
      userId,
      now,
      (first, more) => digestMessage(first, more, now, config.publicUrl),
      (place) => places.some((one) => one.platform === place.platform && one.chatId === place.chatId),
    );
    quietHours.released(userId);
  }
  if (due.length > 0) outbox.wake();
}

const LOOK_EVERY_MS = 15_000;

const quietHoursRoutes = (quietHours: QuietHoursOf) =>
  serve(QUIET_HOURS, {
    'GET /api/settings/quiet-hours': ({ user }) => quietHours.view(user.id),
    'PUT /api/settings/quiet-hours': ({ user, body: { active, from, until, zone, digest } }) =>
      quietHours.save(user.id, { active, from, until, zone, digest }),
  });

/** Quiet hours and digests. */
export function createQuietHours(app: App) {
  const { clock, log, schedule } = app;
  const quietHours = new QuietHoursOf(quietHoursStore(app.db), clock);
  const looks = new Repetition({
    schedule,
    everyMs: LOOK_EVERY_MS,
    work: () => sendDigests(app, quietHours),
    log: log.child('quietHours'),
    failure: 'Digests could not be written; trying again',
  });
  return {
    name: 'quietHours',
    service: quietHours,
    routes: () => quietHoursRoutes(quietHours),
    start: () => looks.start(),
    stop: () => looks.stop(),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    quietHours: QuietHoursOf;
  }
}
