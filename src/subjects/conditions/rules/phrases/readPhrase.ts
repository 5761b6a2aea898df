import { ok, refuse, type Result } from '#lib/result.ts';
import { type Condition, type LogicKind, MAX_GROUPS, type Operator } from '../condition.ts';
import { type DraftCondition, groupCount, newCondition } from '../draft.ts';
import { readSegment, type SegmentReading } from './readSegment.ts';
import { isRefused, type Made } from './reading.ts';
import { isReaching, NEGATIONS } from './reasons.ts';
import { sectorLexicon, type Segment, segmentsOf } from './segments.ts';
import { MAX_PHRASE, tokensOf } from './tokens.ts';
import type { PhraseContext } from './value.ts';

export type Proposal = {
  condition: Condition;
  said: string;
  /** Number of the group of alternatives; null outside groups. */
  group: number | null;
  note: string | null;
  /** True if the words may mean something else, so that the user must select the condition. */
  isDoubtful: boolean;
};

/** A segment that gave no condition, and the reason. */
export type Missed = {
  said: string;
  why: string;
  /** The group of the segment, if it was an alternative. */
  group?: number;
};

export type PhraseReading = { proposals: Proposal[]; missed: Missed[] };

type WrittenClause = { said: string; segment: Segment };
type ReadClause = WrittenClause & {
  reading: SegmentReading;
  /** Set if a negation before the segment also applies to it. */
  isTurned?: true;
};
type MissedClause = WrittenClause & { why: string };
type Clause = ReadClause | MissedClause;

const isMissed = (clause: Clause): clause is MissedClause => 'why' in clause;

/** Groups with a segment that could not be read. */
const groupsOf = (missed: readonly MissedClause[]): ReadonlySet<number> =>
  new Set(missed.flatMap(({ segment }) => segment.group ?? []));

const TANGLED = 'These brackets can’t be kept: a group is a list of conditions, any of which is enough.';
const TWO_IN_ONE = 'An alternative can be only one condition. Write each one separately.';
const NUMBER_MISSING = 'By how much? Give a number for each alternative: “up 5% or down 5%”.';
const LOOSE =
  'This could be grouped differently: here one alternative is enough. Use “either … or …” or brackets to make it clear.';
const NARROWED = 'Another alternative was not understood, so this is stricter than what you wrote.';
const ONLY_HERE = 'On daily bars, because the timeframe follows another condition.';

const wordsOf = (text: string, { tokens }: Segment): string =>
  text.slice(tokens[0]?.from ?? 0, tokens.at(-1)?.to ?? 0).toWellFormed();

const DIRECTIONS: ReadonlySet<string> = new Set(['up', 'down', 'higher', 'lower']);

function whyNoAlternative({ tokens }: Segment, { made }: SegmentReading): string | null {
  if (made.length > 1) return TWO_IN_ONE;
  return DIRECTIONS.has(tokens.at(-1)?.text ?? '') ? NUMBER_MISSING : null;
}

/** Reads segments in order, because a segment may omit the value that the previous one compared. */
function clausesOf(text: string, context: PhraseContext): Clause[] {
  const { segments, isTangled } = segmentsOf(tokensOf(text), sectorLexicon(context.sectors));
  let before: SegmentReading | null = null;
  return segments.map((segment): Clause => {
    const said = wordsOf(text, segment);
    if (isTangled) return { said, segment, why: TANGLED };
    const reading = readSegment(segment.tokens, context, before);
    before = isRefused(reading) ? null : reading;
    if (isRefused(reading)) return { said, segment, why: reading.why };
    const why = segment.group === null ? null : whyNoAlternative(segment, reading);
    return why === null ? { said, segment, reading } : { said, segment, why };
  });
}

const isNegated = ({ segment }: Clause): boolean => segment.tokens.some(({ text }) => NEGATIONS.has(text));

const OPPOSITES: Partial<Record<Operator, Operator>> = {
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
};

/** The opposite of a segment after a negated one; null if there is none. */
function turned({ segment, ...clause }: Clause): ReadClause | null {
  if (!('reading' in clause) || !clause.reading.isShort) return null;
  const opposites = clause.reading.made.map((made) => ({ made, op: OPPOSITES[made.condition.op] }));
  const made = opposites.flatMap(({ made: one, op }) =>
    op ? { ...one, condition: { ...one.condition, op } } : [],
  );
  const isWhole = made.length === opposites.length;
  const alone = { ...segment, group: null, isLoose: false };
  return isWhole ? { ...clause, segment: alone, reading: { ...clause.reading, made }, isTurned: true } : null;
}

/** "Not above 5 or below 2" means not above 5, and not below 2. */
function withNegatedLists(clauses: readonly Clause[]): Clause[] {
  const made = [...clauses];
  for (const [from, first] of clauses.entries()) {
    const { group } = first.segment;
    const begins = group !== null && clauses[from - 1]?.segment.group !== group;
    if (!begins || isMissed(first) || first.reading.subject === null || !isNegated(first)) continue;
    const others = clauses.slice(from + 1).filter(({ segment }) => segment.group === group);
    const opposites = others.flatMap((clause) => turned(clause) ?? []);
    if (opposites.length < others.length) continue;
    const alone = { ...first, segment: { ...first.segment, group: null, isLoose: false } };
    made.splice(from, others.length + 1, alone, ...opposites);
  }
  return made;
}

const goesOn = ({ segment, reading, isTurned }: ReadClause): boolean =>
  !isTurned && (reading.isShort || reading.isName || segment.tokens[0]?.sectors !== undefined);

const mayBelong = ({ said }: MissedClause): string =>
  `“${said}” was not understood and may apply to this as well.`;
const ONE_OR_ALL = 'The “not” may apply to one alternative or to all. Write each one separately.';
const NOT_AS_WELL = 'The “not” before it may apply to this as well.';

type Doubt = (clause: ReadClause, made: Made) => string | null;

/** Why the whole phrase is doubtful, beyond the words of one segment. */
function doubtsOf(clauses: readonly Clause[]): Doubt {
  const missed = clauses.filter(isMissed);
  const reaching = missed.find(({ segment }) => isReaching(segment.tokens));
  const narrowed = groupsOf(missed);
  const timed = clauses.filter((clause) => !isMissed(clause) && clause.reading.isTimed);
  const negated = new Set(clauses.filter(isNegated).flatMap(({ segment }) => segment.group ?? []));
  return (clause, { isByDay }) => {
    const { group, isLoose } = clause.segment;
    if (group !== null && narrowed.has(group)) return NARROWED;
    if (group !== null && negated.has(group)) return ONE_OR_ALL;
    const at = clauses.indexOf(clause);
    const [before, after] = [clauses[at - 1], clauses[at + 1]];
    // In "Above 20, 50 % and 200" the number may belong to this segment.
    if (after && isMissed(after) && after.segment.tokens[0]?.numbers) return mayBelong(after);
    if (before && goesOn(clause)) {
      if (isMissed(before)) return mayBelong(before);
      if (isNegated(before) && !isNegated(clause)) return NOT_AS_WELL;
    }
    if (reaching) return mayBelong(reaching);
    if (isByDay && timed.length > 0) return ONLY_HERE;
    return isLoose ? LOOSE : null;
  };
}

function proposalsOf(clauses: readonly Clause[]): Proposal[] {
  const doubt = doubtsOf(clauses);
  return clauses.flatMap((clause): Proposal[] => {
    if (isMissed(clause)) return [];
    const { said, segment } = clause;
    return clause.reading.made.map((made) => {
      const doubted = doubt(clause, made);
      const notes = [made.note, doubted].filter((note) => note !== null);
      return {
        condition: made.condition,
        said,
        group: segment.group,
        note: notes.length > 0 ? notes.join(' ') : null,
        isDoubtful: made.isDoubtful || doubted !== null,
      };
    });
  });
}

/**
 * Reads a phrase as conditions and invents nothing: a segment with an unknown word, or with values that cannot express
 * it, is listed with the reason.
 * @param text only the first `MAX_PHRASE` characters are read
 */
export function readPhrase(text: string, context: PhraseContext): PhraseReading {
  const read = text.slice(0, MAX_PHRASE);
  const clauses = withNegatedLists(clausesOf(read, context));
  const missed = clauses.filter(isMissed);
  return {
    proposals: proposalsOf(clauses),
    missed: missed.map(({ said, why, segment: { group } }) => ({
      said,
      why,
      ...(group !== null && { group }),
    })),
  };
}

/** Whether a condition is new and unchanged. */
function isUntouched({ group, lhs, op, rhs }: DraftCondition): boolean {
  const begun = newCondition([]);
  const isLast = lhs?.type === 'field' && begun.lhs?.type === 'field' && lhs.key === begun.lhs.key;
  return group === undefined && isLast && op === begun.op && rhs === null;
}

export const ownConditions = (conditions: readonly DraftCondition[]): DraftCondition[] =>
  conditions.filter((one) => !isUntouched(one));

/**
 * Appends confirmed conditions to a list. If only one of several alternatives was confirmed, it is not in a group.
 * @param kept the conditions that stay
 * @returns the list and the id of the first added condition, or a refusal if there are too many
 */
export function withProposals(
  kept: readonly DraftCondition[],
  confirmed: readonly Proposal[],
  { noun, maxConditions }: LogicKind,
): Result<{ conditions: DraftCondition[]; first: number }> {
  const first = Math.max(-1, ...kept.map(({ id }) => id)) + 1;
  const firstGroup = Math.max(-1, ...kept.map(({ group }) => group ?? -1)) + 1;
  const added = confirmed.map(({ condition, group }, index): DraftCondition => {
    const members = confirmed.filter((one) => group !== null && one.group === group);
    const own = { id: first + index, ...condition };
    return members.length > 1 && group !== null ? { ...own, group: firstGroup + group } : own;
  });
  const conditions = [...kept, ...added];
  if (conditions.length > maxConditions)
    return refuse(`${noun} can have at most ${maxConditions} conditions.`);
  if (groupCount(conditions) > MAX_GROUPS) return refuse(`${noun} can have at most ${MAX_GROUPS} groups.`);
  return ok({ conditions, first });
}
