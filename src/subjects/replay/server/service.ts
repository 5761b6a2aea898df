import type { ReplayInfo } from '#market/rules/stream.ts';
import { AppError } from '#platform/http/errors.ts';
import type { App } from '#platform/app.ts';
import type { ReplayControls } from '#sources/quotes/source.ts';
import { jumpProblem } from '../rules/jump.ts';

/** How the playing of a recording stands; null where none is played. */
export function replayInfo({ source, config }: App): ReplayInfo | null {
  return source.replay ? { ...source.replay.state(), isOpenToAll: config.testMode } : null;
}

/** Speeds that can be chosen. */
export const MIN_SPEED = 1;
export const MAX_SPEED = 60;

/** How the market that is played stands after something was done with it. */
export type ReplayView = ReplayInfo & {
  /** The market's clock, epoch ms. */
  marketTime: number;
};

/** What is done with the playing of a recording. What changes is told to everybody at once, not with the next tick. */
export class ReplayService {
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

  /** @throws AppError 400 for a speed that can't be chosen */
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

  /**
   * @param time epoch ms on the market's clock
   * @throws AppError 400 for a moment outside of the recording, 503 where it can't be read there
   */
  jump(time: number): ReplayView {
    const message = jumpProblem(this.view(), time);
    if (message !== null) throw new AppError(400, { field: 'time', message });
    try {
      this.#controls.jump(time);
    } catch (error) {
      this.#deps.log.error('The recording could not be read', { time, error });
      throw new AppError(503, 'The recording can not be read at that moment. Choose another one.');
    }
    return this.#changed();
  }

  #changed(): ReplayView {
    this.#deps.tick.run();
    return this.view();
  }
}
