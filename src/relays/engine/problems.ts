import { errorCode } from '#lib/errors.ts';
import { EngineError } from './engineError.ts';

/** The most of an engine's own words that is shown. */
const MAX_WORDS = 200;

/** What the engine refuses with, by the first word of its answer, as sentences for the operator. */
const SENTENCES: Readonly<Record<string, string>> = {
  NOAUTH:
    'The message engine asks for a password: write it into BELLBIRD_ENGINE_URL, as in redis://:password@host.',
  WRONGPASS: 'The message engine does not accept the user and password of BELLBIRD_ENGINE_URL.',
  READONLY:
    'The message engine is a read-only copy of another: BELLBIRD_ENGINE_URL of the primary must name the one that is written to.',
  LOADING: 'The message engine is still reading its data.',
  MASTERDOWN: 'The message engine is a copy of another that it has lost.',
  NOREPLICAS: 'The message engine takes nothing because it has too few copies.',
  MISCONF: 'The message engine takes nothing because it can not write to its disk.',
  DENIED:
    'The message engine is in protected mode and only answers callers on its own machine: give it a password.',
};

/** Codes of the engine's client for a connection that did not come about or ended. */
const CLOSED_CODES = ['ERR_REDIS_CONNECTION_CLOSED', 'ERR_REDIS_CONNECTION_TIMEOUT'];
/** Its codes for what the engine answered. */
const ANSWER_CODES = ['ERR_REDIS_SERVER_ERROR', 'ERR_REDIS_AUTHENTICATION_FAILED'];

const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_WORDS);

/** An answer of the engine that is an error, as a sentence. */
function refusal(words: string, command: string): EngineError {
  const [first = ''] = words.split(' ');
  if (first === 'OOM') {
    return new EngineError('The message engine is full: give it more memory (maxmemory).', 'full');
  }
  if (words.includes('equal or smaller') || words.includes('exhausted the last possible ID')) {
    return new EngineError('The message engine has a frame at this position or a later one.', 'order');
  }
  if (words.endsWith('no such key')) {
    return new EngineError('The message engine does not have this.', 'none');
  }
  if (first === 'WRONGTYPE') {
    return new EngineError(
      'Somebody else keeps something in the message engine under a name of Bellbird.',
      'kind',
    );
  }
  if (first === 'NOPERM') {
    return new EngineError(`The user of BELLBIRD_ENGINE_URL may not do this in the message engine: ${words}`);
  }
  return new EngineError(SENTENCES[first] ?? `The message engine refused ${command}: ${words}`);
}

/**
 * What the engine's client throws, as a sentence.
 * @param command that failed, for instance XADD
 * @param shown the address of the engine for people
 */
export function engineProblem(error: unknown, command: string, shown: string): EngineError {
  const code = errorCode(error);
  if (ANSWER_CODES.includes(code)) return refusal(wordsOf(error), command);
  if (CLOSED_CODES.includes(code)) {
    return new EngineError(`The message engine at ${shown} does not answer.`, 'down');
  }
  return new EngineError(
    `The connection to the message engine at ${shown} failed: ${wordsOf(error)}`,
    'down',
  );
}
