import { NotFoundError } from 'elysia';
import type { AuthUser } from '#platform/http/auth.ts';
import { serve } from '#platform/http/routes.ts';
import { AppError } from '#platform/http/errors.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import type { App, Part } from '#platform/app.ts';
import { REPLAY } from '../contract.ts';
import { ReplayService } from './service.ts';

/** A slider that is moved asks for a moment several times a second. */
const CHANGES_A_MINUTE = 120;
/** Anyone who has no account: one limit for all of them. */
const VISITORS = 0;

/**
 * Who controls the market that everybody sees: administrators, and in test mode anybody.
 *
 * @throws AppError 401 without a session, 403 for others than administrators
 */
function checkMayControl(user: AuthUser | null, testMode: boolean): void {
  if (testMode || (user !== null && user.level >= 4)) return;
  if (user === null) throw new AppError(401, 'Please log in to continue.');
  throw new AppError(403, 'This is for administrators only.');
}

/** The service where a recording is played, and who may use it. */
function guarded(app: App) {
  const { source, clock, log } = app;
  const service = source.replay
    ? new ReplayService({ ...app, log: log.child('replay') }, source.replay)
    : null;
  const countChange = createWriteLimit(clock, CHANGES_A_MINUTE, 'the replay');

  /** @throws NotFoundError where no recording is played */
  function playing() {
    if (service === null) throw new NotFoundError();
    return service;
  }

  function controlledBy(user: AuthUser | null) {
    const controlled = playing();
    checkMayControl(user, app.config.testMode);
    countChange(user?.id ?? VISITORS);
    return controlled;
  }

  return { playing, controlledBy };
}

/** GET /replay, POST /replay/pause, /speed and /jump; 404 where no recording is played. */
function routesOf(app: App) {
  const { playing, controlledBy } = guarded(app);
  /** Before the body is looked at. */
  const checkPlaying = (): void => void playing();

  return serve(REPLAY, {
    'GET /api/replay': () => playing().view(),
    'POST /api/replay/pause': {
      handle: ({ user, body }) => controlledBy(user).pause(body.paused),
      admit: checkPlaying,
    },
    'POST /api/replay/speed': {
      handle: ({ user, body }) => controlledBy(user).setSpeed(body.speed),
      admit: checkPlaying,
    },
    'POST /api/replay/jump': {
      handle: ({ user, body }) => controlledBy(user).jump(body.time),
      admit: checkPlaying,
    },
  });
}

/** The controls of a market that is played from a recording. */
export const createReplayControls = (app: App) =>
  ({ name: 'replay', routes: () => routesOf(app) }) satisfies Part;
