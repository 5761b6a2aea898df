import type { DemoCall } from './demo.ts';
import { implausibleReason } from './verifiedResult.ts';

/** Whose call waits for review, where one of theirs can. */
const REVIEWED = 'LateMail';
/** AUD: of a call whose price never rose, any gain is too much. */
const GAIN = 1840;
/** AUD: no private trader's, whatever a call of the demonstration rose. */
const GREAT_GAIN = 9_000_000;

/** Why a call that pocketed this would wait for review; null when it would not, or did not end by its owner's word. */
const reasonFor = ({ status, call, state, closing }: DemoCall, pocketed: number): string | null =>
  status === 'closed' && closing !== null ? implausibleReason(pocketed, call, state, closing) : null;

/**
 * Gives one call a gain that its prices could not have given, so that the review queue has one on every day: the gain of a
 * call that never rose, where there is one, else one that is too great.
 */
export function withImplausibleGain(history: readonly DemoCall[]): DemoCall[] {
  const find = (gain: number): { chosen: DemoCall; gain: number } | null => {
    const able = history.filter((demo) => reasonFor(demo, gain) !== null);
    const chosen = able.find(({ submitter }) => submitter === REVIEWED) ?? able[0];
    return chosen ? { chosen, gain } : null;
  };
  const found = find(GAIN) ?? find(GREAT_GAIN);
  return history.map((demo) => (demo === found?.chosen ? { ...demo, pocketedValue: found.gain } : demo));
}
