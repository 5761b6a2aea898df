import { Elysia, NotFoundError } from 'elysia';
import type { Auth, AuthUser } from '../../../platform/http/auth.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { createWriteLimit } from '../../../platform/http/requestLimits.ts';
import type { Core, Part } from '../../../part.ts';
import { jumpBody, pauseBody, replayView, speedBody } from './model.ts';
import { createReplayService, type ReplayDeps } from './service.ts';

export type ReplayCore = Pick<Core, 'source' | 'clock' | 'log'> & {
  config: Pick<Core['config'], 'testMode'>;
};
export type ReplayNeeds = Pick<ReplayDeps, 'tick'> & { auth: Auth };

/** A slider that is moved asks for a moment several times a second. */
const CHANGES_A_MINUTE = 120;
/** Whoever has no account: one limit for all of them. */
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

/** GET /replay, POST /replay/pause, /speed and /jump; 404 where no recording is played. */
function routesOf(core: ReplayCore, { auth, tick }: ReplayNeeds) {
  const { source, config, clock, log } = core;
  const service = source.replay
    ? createReplayService({ source, config, tick, log: log.child('replay') }, source.replay)
    : null;
  const countChange = createWriteLimit(clock, CHANGES_A_MINUTE, 'the replay');

  function playing() {
    if (service === null) throw new NotFoundError();
    return service;
  }

  /** Before the body is looked at. */
  const checkPlaying = (): void => void playing();

  function controlledBy(user: AuthUser | null) {
    const controlled = playing();
    checkMayControl(user, config.testMode);
    countChange(user?.id ?? VISITORS);
    return controlled;
  }

  return new Elysia({ name: 'replay', prefix: '/replay' })
    .use(auth)
    .get('/', () => playing().view(), { anyone: true, response: { 200: replayView } })
    .post('/pause', ({ user, body }) => controlledBy(user).pause(body.paused), {
      visitor: true,
      parse: checkPlaying,
      body: pauseBody,
      response: { 200: replayView },
    })
    .post('/speed', ({ user, body }) => controlledBy(user).setSpeed(body.speed), {
      visitor: true,
      parse: checkPlaying,
      body: speedBody,
      response: { 200: replayView },
    })
    .post('/jump', ({ user, body }) => controlledBy(user).jump(body.time), {
      visitor: true,
      parse: checkPlaying,
      body: jumpBody,
      response: { 200: replayView },
    });
}

/** The controls of a market that is played from a recording. */
export const createReplayControls = (core: ReplayCore, needs: ReplayNeeds) =>
  ({ name: 'replay', routes: () => routesOf(core, needs) }) satisfies Part;
