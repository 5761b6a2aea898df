import { Elysia } from 'elysia';
import { Repetition } from '#lib/repetition.ts';
import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { Core, Part } from '#src/part.ts';
import type { Auth } from '#platform/http/auth.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { ALERT_REVIEW } from '#subjects/alerts/answers/reviewContract.ts';
import { PresenceWatch, type PresenceDeps } from './presence.ts';
import { createSeenSessions, type SeenSince } from './seenSessions.ts';
import { AlertReview, type AlertReviewDeps } from './service.ts';
import { ReviewStore } from './store.ts';
import { WeeklyReview, type WeeklyDeps } from './weekly.ts';

const LOOK_EVERY_MS = 60_000;
/** At once. */
const MAX_PRUNED = 1000;

export type AlertReviewNeeds = Pick<AlertReviewDeps, 'alerts' | 'scanAlerts' | 'placesOf'> &
  Pick<PresenceDeps, 'market'> &
  Pick<WeeklyDeps, 'chatsOf' | 'outbox'> & {
    auth: Auth;
    seenSince: SeenSince;
    schedule?: Scheduler | undefined;
  };

const reviewRoutes = (auth: Auth, review: AlertReview) =>
  new Elysia({ name: 'alertReview' })
    .use(auth)
    .get('/alerts/review', ({ user }) => review.look(user.id), {
      minLevel: 1,
      ...routeSchemas(ALERT_REVIEW['GET /api/alerts/review']),
    })
    .post('/alerts/review', ({ user, body }) => review.press(user.id, body.keys, body.press), {
      minLevel: 1,
      ...routeSchemas(ALERT_REVIEW['POST /api/alerts/review']),
    })
    .post('/alerts/review/unkeep', ({ user, body }) => review.unkeep(user.id, body.keys), {
      minLevel: 1,
      ...routeSchemas(ALERT_REVIEW['POST /api/alerts/review/unkeep']),
    })
    .put('/alerts/review/weekly', ({ user, body }) => review.setWeekly(user.id, body.weekly), {
      minLevel: 1,
      ...routeSchemas(ALERT_REVIEW['PUT /api/alerts/review/weekly']),
    });

/** The review of alerts: what to look at among them, the presses that settle it, and the message of a week. */
export function createAlertReview(core: Core, needs: AlertReviewNeeds) {
  const { db, clock, log, source, config } = core;
  const { auth, market, chatsOf, outbox, schedule = timerScheduler } = needs;
  const store = new ReviewStore(db);
  const presence = new PresenceWatch({ db, market, source });
  const review = new AlertReview({
    store,
    clock,
    alerts: needs.alerts,
    scanAlerts: needs.scanAlerts,
    placesOf: needs.placesOf,
    presenceOf: (symbol) => presence.of(symbol),
    hasPlace: (userId) => chatsOf(userId).length > 0,
    hasSeenMost: createSeenSessions(needs.seenSince, source),
  });
  const weekly = new WeeklyReview({
    store,
    clock,
    review,
    chatsOf,
    outbox,
    publicUrl: config.publicUrl,
  });
  const looks = new Repetition({
    schedule,
    everyMs: LOOK_EVERY_MS,
    work() {
      looks.safely(() => presence.look());
      weekly.look();
    },
    log: log.child('alertReview'),
    failure: 'The review of alerts could not be made; trying again',
  });
  return {
    name: 'alertReview',
    service: review,
    routes: () => reviewRoutes(auth, review),
    start: () => looks.start(),
    stop: () => looks.stop(),
    prune() {
      const removed = store.dropKept(clock.now(), MAX_PRUNED);
      return { removed, hasMore: removed === MAX_PRUNED };
    },
  } satisfies Part;
}
