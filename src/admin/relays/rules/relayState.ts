import type { Wire } from '#lib/contract/fields.ts';
import { bad, doubtful, type CheckResult, good } from '#lib/checkResult.ts';
import type { relay, relaysAnswer } from '../answers/relays.ts';

/** A relay's last report, as the primary knows it. */
export type RelayStatus = Wire<typeof relay>;

/** What the primary knows about Redis/Valkey and its relays, without making requests. */
export type RelayState = Omit<Wire<typeof relaysAnswer>, 'isSet'>;

const WHAT = 'Relays';
/** A relay that has not reported for this time is behind. Relays report every two seconds. */
const BEHIND_MS = 10_000;
const NAMED = 5;

function namesOf(relays: RelayState['relays']): string {
  const more = relays.length > NAMED ? `, and ${relays.length - NAMED} more` : '';
  return `${relays
    .slice(0, NAMED)
    .map(({ name, id }) => name || id)
    .join(', ')}${more}`;
}

/** @returns null while Redis/Valkey is down or its epoch begins, because nothing is known about the relays */
export function relayFinding({ engine, isPublishing, problem, relays }: RelayState): CheckResult | null {
  if (!engine.isUp) return null;
  if (problem !== null) {
    return bad(WHAT, `Nothing is published to relays. ${problem}`, 'See Relays in the Admin Panel.');
  }
  if (!isPublishing) return null;
  if (relays.length === 0) {
    return doubtful(
      WHAT,
      'No relay is connected.',
      'Check that the relays are running and can reach Redis. If you use none, remove BELLBIRD_ENGINE_URL.',
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
      'Check their processor load, and their network to Redis.',
    );
  }
  return good(WHAT, 'All relays keep up.');
}

type Redis = Pick<RelayState, 'engine' | 'isPublishing' | 'problem'>;

export function engineWords({ engine, isPublishing, problem }: Redis): {
  variant: 'error' | 'warn' | null;
  words: string;
} {
  if (!engine.isUp) {
    const why = engine.problem === null ? '' : ` ${engine.problem}`;
    const rest = 'Pages of this server keep working; pages of relays reconnect until Redis is back.';
    return { variant: 'error', words: `Redis cannot be used.${why} ${rest}` };
  }
  if (problem !== null) return { variant: 'warn', words: `Nothing is published to relays. ${problem}` };
  if (!isPublishing) {
    return { variant: 'warn', words: 'Redis is up. Publishing has not started yet.' };
  }
  return { variant: null, words: 'Redis is up, and every change is published to it.' };
}

/** A note on a relay's version; null if it equals this server's. */
export function versionNote({
  isSameVersion,
  speaksProtocol,
}: Pick<RelayStatus, 'isSameVersion' | 'speaksProtocol'>): string | null {
  if (!speaksProtocol) return 'Another protocol: serves no streams. Update it.';
  return isSameVersion
    ? null
    : 'Another version: serves streams, but fetches the page files from this server.';
}
