import type { ReplayInfo } from '#market/rules/stream.ts';
import { AppError } from '#platform/http/errors.ts';
import type { App, Part } from '#platform/app.ts';
import type { ReplayControls, SkipTarget } from '#market/sources/quotes.ts';
import { jumpProblem } from '../rules/jump.ts';
import { NotFoundError } from 'elysia';
import type { AuthUser } from '#platform/http/auth.ts';
import { serve } from '#platform/http/routes.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { REPLAY } from '../contract.ts';

/** State of the replay; null if no recording is played. */
export function replayInfo({ source, config }: App): ReplayInfo | null {
  return source.replay ? { ...source.replay.state(), isOpenToAll: config.testMode } : null;
}

const MIN_SPEED = 1;
const MAX_SPEED = 60;

type ReplayView = ReplayInfo & {
  /** Epoch ms by the market's clock. */
  marketTime: number;
};

/** Controls of the replay. Changes are sent immediately, not with the next tick. */
class ReplayService {
  readonly #deps: App;
  readonly #controls: ReplayControls;

  constructor(deps: App, controls: ReplayControls) {
    this.#deps = deps;
    this.#controls = controls;
  }

  view(): ReplayView {
    const { source, config } = this.#deps;
    return {
      ...this.#controls.state(),
      isOpenToAll: config.testMode,
      marketTime: source.clock.now(),
    };
  }

  pause(isPaused: boolean): ReplayView {
    this.#controls.pause(isPaused);
    return this.#changed();
  }

  /** @throws AppError 400 for an invalid speed */
  setSpeed(speed: number): ReplayView {
    if (!(speed >= MIN_SPEED && speed <= MAX_SPEED)) {
      throw new AppError(400, {
        field: 'speed',
        message: `Choose a speed from ${MIN_SPEED} to ${MAX_SPEED}.`,
      });
    }
    this.#controls.setSpeed(speed);
    return this.#changed();
  }

  /** Jumps to a time, epoch ms by the market's clock. @throws AppError 400 outside the recording, 503 if unreadable */
  jump(time: number): ReplayView {
    const message = jumpProblem(this.view(), time);
    if (message !== null) throw new AppError(400, { field: 'time', message });
    try {
      this.#controls.jump(time);
    } catch (error) {
      this.#deps.log.error('Could not read the recording', { time, error });
      throw new AppError(503, 'The recording cannot be read at that time. Choose another time.');
    }
    return this.#changed();
  }

  #changed(): ReplayView {
    this.#deps.tick.run();
    return this.view();
  }
}

/** Limit per user; a moving slider sends several requests a second. */
const CHANGES_A_MINUTE = 120;
/** Key of the limit that all visitors share. */
const VISITORS = 0;

/**
 * Only administrators may control the shared market; in test mode everyone may.
 * @throws AppError 401 without a session, 403 for other users
 */
function checkMayControl(user: AuthUser | null, testMode: boolean): void {
  if (testMode || (user !== null && user.level >= 4)) return;
  if (user === null) throw new AppError(401, 'Please log in to continue.');
  throw new AppError(403, 'This is for administrators only.');
}

function guarded(app: App) {
  const { source, clock, log } = app;
  const service = source.replay
    ? new ReplayService({ ...app, log: log.child('replay') }, source.replay)
    : null;
  const countChange = createWriteLimit(clock, CHANGES_A_MINUTE, 'the replay');

  /** @throws NotFoundError if no recording is played */
  function playing() {
    if (service === null) throw new NotFoundError();
    return service;
  }

  function checkControls(user: AuthUser | null): void {
    checkMayControl(user, app.config.testMode);
    countChange(user?.id ?? VISITORS);
  }

  function controlledBy(user: AuthUser | null) {
    const controlled = playing();
    checkControls(user);
    return controlled;
  }

  return { playing, controlledBy, checkControls };
}

/** Moves the simulated market forward. @throws AppError 409 in the hours of the exchange */
function skip({ source, tick }: App, target: SkipTarget): { marketTime: number } {
  if (source.skip?.(target) !== true) {
    throw new AppError(409, 'The simulated market follows the hours of the exchange now.');
  }
  tick.run();
  return { marketTime: source.clock.now() };
}

/** Replay controls, 404 if no recording is played; and the same for a simulated market. */
function routesOf(app: App) {
  const { playing, controlledBy, checkControls } = guarded(app);
  /** Checked before the body is read. */
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
    'POST /api/simulator/skip': {
      handle: ({ user, body }) => {
        checkControls(user);
        return skip(app, body.to);
      },
      admit: () => {
        if (!app.source.skip) throw new NotFoundError();
      },
    },
  });
}

export const createReplayControls = (app: App) =>
  ({ name: 'replay', routes: () => routesOf(app) }) satisfies Part;
