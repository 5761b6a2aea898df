import type { ReplayInfo } from '../../../market/rules/stream.ts';
import { formatTime } from '../../../texts/format.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { Core } from '../../../part.ts';
import type { Tick } from '../../../market/tick.ts';
import type { ReplayControls } from '../../../sources/quotes/source.ts';

type ReplayCore = Pick<Core, 'source'> & { config: Pick<Core['config'], 'testMode'> };

/** How the playing of a recording stands; null where none is played. */
export function replayInfo({ source, config }: ReplayCore): ReplayInfo | null {
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

export type ReplayDeps = Pick<Core, 'log'> & ReplayCore & { tick: Pick<Tick, 'run'> };

const clockText = (time: number): string => `${formatTime(time)} Sydney time`;

function checkInside({ from, until }: ReplayInfo, time: number): void {
  const span = `It holds ${clockText(from)} to ${clockText(until)}.`;
  if (time < from)
    throw new AppError(400, { field: 'time', message: `That is before the recording begins. ${span}` });
  if (time > until)
    throw new AppError(400, { field: 'time', message: `That is after the recording ends. ${span}` });
}

/** What is done with the playing of a recording. What changes is told to everybody at once, not with the next tick. */
export function createReplayService(deps: ReplayDeps, controls: ReplayControls) {
  const { source, tick, log } = deps;

  const view = (): ReplayView => ({
    ...controls.state(),
    isOpenToAll: deps.config.testMode,
    marketTime: source.clock.now(),
  });

  function changed(): ReplayView {
    tick.run();
    return view();
  }

  return {
    view,

    pause(isPaused: boolean): ReplayView {
      controls.pause(isPaused);
      return changed();
    },

    /** @throws AppError 400 for a speed that can't be chosen */
    setSpeed(speed: number): ReplayView {
      if (!(speed >= MIN_SPEED && speed <= MAX_SPEED)) {
        throw new AppError(400, {
          field: 'speed',
          message: `Choose a speed from ${MIN_SPEED} to ${MAX_SPEED}.`,
        });
      }
      controls.setSpeed(speed);
      return changed();
    },

    /**
     * @param time epoch ms on the market's clock
     * @throws AppError 400 for a moment outside of the recording, 503 where it can't be read there
     */
    jump(time: number): ReplayView {
      checkInside(view(), time);
      try {
        controls.jump(time);
      } catch (error) {
        log.error('The recording could not be read', { time, error });
        throw new AppError(503, 'The recording can not be read at that moment. Choose another one.');
      }
      return changed();
    },
  };
}
