import type { UpdateState } from './updateState.ts';

/** Starts after which an interrupted trial ends. A power cut interrupts it once. */
const MAX_STARTS = 2;

/**
 * The first task of a start:
 * - `serve`: no update is pending;
 * - `try`: the new version starts or continues its trial;
 * - `rollBack`: the old executable comes back, and the old database if the new version may have changed it.
 */
export type StartDecision = { kind: 'serve' } | { kind: 'try' } | { kind: 'rollBack'; failure: string };

/** Decides by counts instead of times, because the clock may have been set. */
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
