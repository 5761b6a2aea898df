import type { Concern } from './concern.ts';

/**
 * The result of a check. `failing`: wrong, but without a notice so far. `unknown`: the check has no answer now. `unchecked`:
 * nothing was asked since the start.
 */
export const CHECK_STATES = ['wrong', 'failing', 'unchecked', 'unknown', 'well'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

export type Check = { what: string; state: CheckState };

/** @param isListed whether it is a notice now */
function stateOf({ state }: Concern, isListed: boolean): CheckState {
  if (isListed) return 'wrong';
  if (state === 'wrong') return 'failing';
  return state === 'unchanged' ? 'well' : state;
}

/** Nothing can be said of it on this server, such as of a disk whose system does not tell. */
const isNoCheck = ({ state, detail }: Concern): boolean => state === 'unknown' && detail === '';

/** The result of each check: the worst of its concerns. @param listed keys of the notices */
export function checksOf(concerns: readonly Concern[], listed: ReadonlySet<string>): Check[] {
  const states = new Map<string, CheckState>();
  for (const concern of concerns) {
    if (isNoCheck(concern)) continue;
    const own = stateOf(concern, listed.has(concern.key));
    const other = states.get(concern.what) ?? 'well';
    states.set(concern.what, CHECK_STATES.indexOf(own) < CHECK_STATES.indexOf(other) ? own : other);
  }
  return [...states].map(([what, state]) => ({ what, state }));
}
