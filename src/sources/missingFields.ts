import type { SystemClock } from '../lib/clock.ts';
import { isRecord, parseJson } from '../lib/json.ts';
import type { Log } from '../lib/log.ts';
import type { SourceMemory } from './quotes/source.ts';

/** A field that a source sends no more, in the words of the tables, and since when: epoch ms. */
export type MissingField = { name: string; since: number };

/** Fields by name, each with the time since when it is missing, epoch ms. */
type Times = ReadonlyMap<string, number>;
/** `lasting` are those that count, `seen` those that the newest answer lacked. */
export type MissingState = { lasting: Times; seen: Times };

/**
 * What follows from an answer. A field counts from the second answer in a row that lacks it, since the first: of one alone
 * it may be a hiccup. One that counts stays while answers can't tell.
 *
 * @param missing what the answer lacks
 * @param isJudged whether the answer can tell of a field
 * @param now epoch ms
 */
export function stepMissing(
  { lasting, seen }: MissingState,
  { missing, isJudged }: { missing: readonly string[]; isJudged: (name: string) => boolean },
  now: number,
): MissingState {
  const times = missing.map(
    (name) => [name, Math.min(lasting.get(name) ?? seen.get(name) ?? now, now)] as const,
  );
  const unjudged = [...lasting].filter(([name]) => !missing.includes(name) && !isJudged(name));
  const counting = times.filter(([name]) => lasting.has(name) || seen.has(name));
  return { lasting: new Map([...unjudged, ...counting]), seen: new Map(times) };
}

const MAX_KEPT = 100;
const MAX_NAME = 100;

/** What an earlier run kept; nothing where it can't be read. */
export function readMissing(kept: unknown): Map<string, number> {
  const parsed = typeof kept === 'string' ? parseJson(kept) : null;
  const value = parsed?.ok && isRecord(parsed.value) ? parsed.value : {};
  const times = Object.entries(value).flatMap(([name, since]) =>
    name.length <= MAX_NAME && typeof since === 'number' && Number.isFinite(since)
      ? [[name, since] as const]
      : [],
  );
  return new Map(times.slice(0, MAX_KEPT));
}

const textOf = (times: Times): string | null =>
  times.size === 0 ? null : JSON.stringify(Object.fromEntries([...times].slice(0, MAX_KEPT)));

const ALL = (): boolean => true;

export type MissingFields = ReturnType<typeof createMissingFields>;

/**
 * Follows which fields a source sends no more, and since when, also over a restart. It writes when that changes.
 * @param options.key what it is kept under
 */
export function createMissingFields(options: {
  key: string;
  memory: SourceMemory;
  clock: Pick<SystemClock, 'now'>;
  log: Log;
}) {
  const { key, memory, clock, log } = options;
  let state: MissingState | null = null;
  const known = (): MissingState => (state ??= { lasting: readMissing(memory.read(key)), seen: new Map() });

  function keep(text: string | null): void {
    try {
      memory.write(key, text);
    } catch (error) {
      // It is said in this run all the same.
      log.warn('Since when fields are missing could not be kept over a restart', { error });
    }
  }

  return {
    /** Takes what an answer lacks. */
    note(missing: readonly string[], isJudged: (name: string) => boolean = ALL): void {
      const before = textOf(known().lasting);
      state = stepMissing(known(), { missing, isJudged }, clock.now());
      const after = textOf(state.lasting);
      if (after !== before) keep(after);
    },
    /** What is missing now, the longest first. */
    current: (): MissingField[] =>
      [...known().lasting].map(([name, since]) => ({ name, since })).toSorted((a, b) => a.since - b.since),
  };
}
