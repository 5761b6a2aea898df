import { bad, doubtful, type Finding, good } from '#lib/finding.ts';
import type { RelayState } from './relayState.ts';

const WHAT = 'Relays';
/** Relays report every two seconds. */
const BEHIND_MS = 10_000;
const NAMED = 5;

function namesOf(relays: RelayState['relays']): string {
  const more = relays.length > NAMED ? `, and ${relays.length - NAMED} more` : '';
  return `${relays
    .slice(0, NAMED)
    .map(({ name, id }) => name || id)
    .join(', ')}${more}`;
}

/** How the relays stand. @returns null while the message engine is away or its run begins, when nothing is known of them */
export function relayFinding({ engine, isPublishing, problem, relays }: RelayState): Finding | null {
  if (!engine.isUp) return null;
  if (problem !== null) {
    return bad(WHAT, `Nothing is published to relays. ${problem}`, 'See Relays in the Admin Panel.');
  }
  if (!isPublishing) return null;
  if (relays.length === 0) {
    return doubtful(
      WHAT,
      'No relay is connected.',
      'Look whether the relays run and reach the message engine. If you use none, remove BELLBIRD_ENGINE_URL.',
    );
  }
  const foreign = relays.filter(({ speaksProtocol }) => !speaksProtocol);
  if (foreign.length > 0) {
    return bad(WHAT, `These relays serve no streams: ${namesOf(foreign)}.`, 'Update them to this version.');
  }
  const behind = relays.filter(({ lagMs }) => lagMs !== null && lagMs > BEHIND_MS);
  if (behind.length > 0) {
    return doubtful(
      WHAT,
      `These relays are more than 10 seconds behind: ${namesOf(behind)}.`,
      'Look at their processors, and at their network to the message engine.',
    );
  }
  return good(WHAT, 'Every relay keeps up.');
}
