import type { UpdateState } from './updateState.ts';

/** A trial that was cut off so often is over: anyone who watched it died with it each time, which a power cut does once. */
const MAX_STARTS = 2;

/**
 * What a start has to do first:
 * - `serve`: nothing, no update is under way;
 * - `try`: the new version goes on trial, or on with it;
 * - `rollBack`: the old executable, and the old database where the new one may have changed it, come back.
 */
export type StartDecision = { kind: 'serve' } | { kind: 'try' } | { kind: 'rollBack'; failure: string };

/**
 * Says by the state of the last update what a start has to do first. It goes by counts, not by times: the clock may
 * have been set meanwhile.
 */
export function decideStart(state: UpdateState | null): StartDecision {
  switch (state?.phase) {
    case 'swapping':
      return {
        kind: 'rollBack',
        failure: 'The server ended while the new version was put in its place, so the old one was put back.',
      };
    case 'rollingBack':
      return { kind: 'rollBack', failure: state.failure ?? 'The new version did not run well.' };
    case 'trial':
      if (state.starts < MAX_STARTS) return { kind: 'try' };
      return {
        kind: 'rollBack',
        failure: `The new version was started ${state.starts} times, and each time its trial was cut off.`,
      };
    default:
      return { kind: 'serve' };
  }
}
