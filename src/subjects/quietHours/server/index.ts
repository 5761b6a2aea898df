import { Elysia } from 'elysia';
import { Repetition } from '#lib/repetition.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { Core, Part } from '#src/part.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { QUIET_HOURS } from '../contract.ts';
import { type DigestsDeps, sendDigests } from './digests.ts';
import type { QuietHoursOf } from './service.ts';

const LOOK_EVERY_MS = 15_000;

const quietHoursRoutes = (auth: Auth, quietHours: QuietHoursOf) =>
  new Elysia({ name: 'quietHours' })
    .use(auth)
    .get('/settings/quiet-hours', ({ user }) => quietHours.view(user.id), {
      minLevel: 1,
      ...routeSchemas(QUIET_HOURS['GET /api/settings/quiet-hours']),
    })
    .put(
      '/settings/quiet-hours',
      ({ user, body: { active, from, until, zone, digest } }) =>
        quietHours.save(user.id, { active, from, until, zone, digest }),
      { minLevel: 1, ...routeSchemas(QUIET_HOURS['PUT /api/settings/quiet-hours']) },
    );

export type QuietHoursNeeds = Omit<DigestsDeps, 'clock' | 'publicUrl'> & {
  auth: Auth;
  schedule?: Scheduler | undefined;
};

/** When people want no messages, and the digests of what came meanwhile. */
export function createQuietHours(
  { clock, config, log }: Pick<Core, 'clock' | 'config' | 'log'>,
  { auth, schedule = timerScheduler, ...needs }: QuietHoursNeeds,
) {
  const looks = new Repetition({
    schedule,
    everyMs: LOOK_EVERY_MS,
    work: () => sendDigests({ ...needs, clock, publicUrl: config.publicUrl }),
    log: log.child('quietHours'),
    failure: 'Digests could not be written; trying again',
  });
  return {
    name: 'quietHours',
    service: needs.quietHours,
    routes: () => quietHoursRoutes(auth, needs.quietHours),
    start: () => looks.start(),
    stop: () => looks.stop(),
  } satisfies Part;
}
