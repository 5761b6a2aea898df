import type { RelayStanding, RelayState } from './relayState.ts';

type Engine = Pick<RelayState, 'engine' | 'isPublishing' | 'problem'>;

/** How the message engine stands, in a sentence or two, and how bad that is. */
export function engineWords({ engine, isPublishing, problem }: Engine): {
  variant: 'error' | 'warn' | null;
  words: string;
} {
  if (!engine.isUp) {
    const why = engine.problem === null ? '' : ` ${engine.problem}`;
    const rest = 'Pages of this server go on; those of relays reconnect until it is back.';
    return { variant: 'error', words: `The message engine can not be used.${why} ${rest}` };
  }
  if (problem !== null) return { variant: 'warn', words: `Nothing is published to relays. ${problem}` };
  if (!isPublishing) {
    return { variant: 'warn', words: 'The message engine is up. Publishing to it has not begun yet.' };
  }
  return { variant: null, words: 'The message engine is up, and every change is published to it.' };
}

/** What follows from the version of a relay's program; null where it is this server's own. */
export function versionNote({
  isSameVersion,
  speaksProtocol,
}: Pick<RelayStanding, 'isSameVersion' | 'speaksProtocol'>): string | null {
  if (!speaksProtocol) return 'Another protocol: it serves no streams. Update it.';
  return isSameVersion ? null : 'Another version: it serves streams, and fetches the pages’ files from here.';
}
