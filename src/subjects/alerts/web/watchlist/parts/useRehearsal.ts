import { useCallback, useEffect, useState } from 'react';
import type { Rehearsal } from '../../../rules/rehearsal.ts';
import type { Logic } from '../../../../conditions/rules/condition.ts';
import { ApiError, messageOf } from '../../../../../../web/api/client.ts';
import { useOnReconnect } from '../../../../../../web/shared/useOnReconnect.ts';
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

type Answered = { of: string; rehearsal: Rehearsal | null; error: string | null };

/**
 * Rehearses conditions whenever they have changed, after a pause.
 * @param logic null while they are not whole: then nothing is asked
 */
export function useRehearsal(symbol: string, logic: Logic | null): Rehearsing {
  const [answered, setAnswered] = useState<Answered>({ of: '', rehearsal: null, error: null });
  const [attempt, setAttempt] = useState(0);
  // Their object is another one with each change of the alert.
  const text = logic === null ? null : JSON.stringify(logic);
  const key = `${symbol} ${attempt} ${text}`;
  useEffect(() => {
    if (text === null) return;
    const asked = JSON.parse(text) as Logic;
    let isWanted = true;
    const run = async () => {
      try {
        const rehearsal = await inTurn(async () => (isWanted ? rehearseTwice(symbol, asked) : null));
        if (isWanted) setAnswered({ of: key, rehearsal, error: null });
      } catch (problem) {
        const error = messageOf(problem, 'The backtest failed. Try again.');
        if (isWanted) setAnswered((before) => ({ of: key, rehearsal: before.rehearsal, error }));
      }
    };
    const timer = setTimeout(() => void run(), PAUSE_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [symbol, text, key]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  const isOld = key !== answered.of;
  useOnReconnect(isOld || answered.error === null ? null : answered, retry);
  return { rehearsal: answered.rehearsal, isOld, error: isOld ? null : answered.error, retry };
}
