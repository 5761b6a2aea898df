import { ApiError } from '#web/api/client.ts';

/** A backtest costs the server more than a save: it waits for a longer pause. */
export const BACKTEST_PAUSE_MS = 700;

/** Delay before the next try, ms, if a backtest in another window of the same user replaced this one. */
const AGAIN_MS = 2500;

/** A request that hangs holds up the others no longer than this, ms. */
const MAX_TURN_MS = 3000;

let lane: Promise<unknown> = Promise.resolve();

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** One after the other: the server runs one backtest of a user, and a newer one ends the one before. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lane.then(work);
  lane = Promise.race([turn.catch(() => undefined), lane.then(() => pause(MAX_TURN_MS))]);
  return turn;
}

/** Runs a backtest in its turn, once more if another one replaced it. @param signal ends one whose result is no longer needed */
export const backtestInTurn = <T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> =>
  inTurn(async () => {
    signal.throwIfAborted();
    try {
      return await run();
    } catch (problem) {
      if (!(problem instanceof ApiError) || problem.status !== 429) throw problem;
      await pause(AGAIN_MS);
      signal.throwIfAborted();
      return run();
    }
  });
