import type { Rehearsal } from '../../../rules/rehearsal.ts';
import type { Logic } from '../../../../conditions/rules/condition.ts';
import { ApiError } from '../../../../../../web/api/client.ts';
import { useLoaded } from '../../../../../../web/shared/useLoaded.ts';
import { rehearse } from '../api.ts';

/** A rehearsal costs the server more than a save: it waits for a longer pause. */
const PAUSE_MS = 700;

export type Rehearsing = {
  /** The newest answer; null before the first. */
  rehearsal: Rehearsal | null;
  /** It is of other conditions than those that stand in the editor. */
  isOld: boolean;
  /** Why the last one failed; null when it did not. */
  error: string | null;
  retry(): void;
};

let lane: Promise<unknown> = Promise.resolve();

/** A rehearsal of another window of the same user takes the place of this one: it is asked for again after so long. */
const AGAIN_MS = 2500;

/** A request that hangs holds up the others no longer than this, ms. */
const MAX_TURN_MS = 3000;

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** One after the other: the server runs one rehearsal of a user, and a newer one ends the one before. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const turn = lane.then(work);
  lane = Promise.race([turn.catch(() => undefined), lane.then(() => pause(MAX_TURN_MS))]);
  return turn;
}

async function rehearseTwice(symbol: string, logic: Logic): Promise<Rehearsal> {
  try {
    return await rehearse(symbol, logic);
  } catch (problem) {
    if (!(problem instanceof ApiError) || problem.status !== 429) throw problem;
    await pause(AGAIN_MS);
    return rehearse(symbol, logic);
  }
}

/**
 * Rehearses conditions whenever they have changed, after a pause.
 * @param logic null while they are not whole: then nothing is asked
 */
export function useRehearsal(symbol: string, logic: Logic | null): Rehearsing {
  // Their object is another one with each change of the alert.
  const text = logic === null ? null : JSON.stringify(logic);
  const { data, isLoading, error, reload } = useLoaded(
    (signal) =>
      inTurn(async () => {
        signal.throwIfAborted();
        return rehearseTwice(symbol, JSON.parse(text ?? '') as Logic);
      }),
    'The backtest failed. Try again.',
    { of: text && `${symbol} ${text}`, pauseMs: PAUSE_MS },
  );
  const isOld = text === null || isLoading;
  return { rehearsal: data, isOld, error: isOld ? null : error, retry: () => void reload() };
}
