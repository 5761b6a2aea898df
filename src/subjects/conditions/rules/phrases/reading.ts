import { capitalised } from '#lib/wording.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import type { Timeframe } from '#market/indicators/rules/types.ts';
import type { Condition, Operator } from '../condition.ts';
import type { FieldRef, Operand, Ref } from '../operand.ts';
import { isExtreme } from './fields.ts';
import { lexiconOf, nameAt, names, past, words, type Token } from './lexicon.ts';
import { fitted, type Quantity } from './quantity.ts';
import {
  averageVolume,
  isSame,
  NO_SUCH_AVERAGE,
  operandOf,
  type PhraseContext,
  type Value,
} from './value.ts';

export type Made = {
  condition: Condition;
  note: string | null;
  isDoubtful: boolean;
  /** True if it has an indicator of daily bars because no timeframe was given. */
  isByDay: boolean;
};

/** Conditions that a form found at a position, and where they end. */
export type Read = {
  made: Made[];
  next: number;
  /** The value that the next segment may omit. */
  subject: Value | null;
  /** Set if a timeframe follows the condition, which may apply to others too. */
  isTimed?: boolean;
  isShort?: boolean;
  /** Set for a name such as "large caps", which a negation may apply to. */
  isName?: boolean;
  number?: Quantity;
};
export type Refused = { why: string };

export type Input = {
  tokens: readonly Token[];
  context: PhraseContext;
  /** The value that the previous segment compared; null after a segment's first condition. */
  carry: Value | null;
  carriedNumber: Quantity | null;
  isFirst: boolean;
};

/** Reads one form of condition at a position; null if it does not match. */
export type Form = (input: Input, at: number) => Read | Refused | null;

export const isRefused = (found: object): found is Refused => 'why' in found;

const TODAY = names(
  ...words(`
    today, now, right now, currently, at moment, on day, for day, so far, so far today, in day,
    this session, in session, in todays session
  `),
);

/** Skips "today", which is implied for every field. */
export const pastToday = (tokens: readonly Token[], at: number): number => past(TODAY, tokens, at);

const PRE_OPEN = names(
  ...words(`
    in pre open, pre open, in preopen, pre market, in pre market, in premarket, at open, on open,
    at match, in auction, in opening auction, this morning
  `),
);

/** Skips "in the pre-open", which is implied for gap and match. */
export const pastPreOpen = (tokens: readonly Token[], at: number): number =>
  pastToday(tokens, past(PRE_OPEN, tokens, at));

export const made = (
  condition: Condition,
  more: Partial<Pick<Made, 'note' | 'isDoubtful' | 'isByDay'>> = {},
): Made => ({ condition, note: null, isDoubtful: false, isByDay: false, ...more });

const number = (value: number): Operand => ({ type: 'number', value });

export const ofField = (
  key: string,
  op: Operator,
  value: number,
  more: Partial<Pick<Made, 'note' | 'isDoubtful'>> = {},
): Made => made({ lhs: { type: 'field', key }, op, rhs: number(value) }, more);

export type Right = { is: 'value'; value: Value } | { is: 'quantity'; quantity: Quantity };

const tfOf = ({ spec }: Value): Timeframe | null => (spec.type === 'indicator' ? spec.tf : null);

/** Next to the volume, an average means one of volumes, not of prices. */
function volumeOperand(lhs: Value, rhs: Value): Value | Refused {
  const isVolume = lhs.spec.type === 'field' && lhs.spec.key === 'volume';
  if (!isVolume || rhs.spec.type !== 'indicator' || rhs.spec.family !== 'sma') return rhs;
  const { tf, length } = rhs.spec;
  return tf === null || tf === 'D' ? averageVolume(length ?? '') : { why: NO_SUCH_AVERAGE };
}

function misfit(lhs: Value, op: Operator, rhs: Value): string | null {
  if (lhs.kind !== rhs.kind)
    return `${lhs.name} can’t be compared with ${rhs.name}: they are measured differently.`;
  if (isSame(lhs, rhs)) return `${lhs.name} would be compared with itself.`;
  const isAbove = op === '>' || op === 'crosses_above';
  const isBelow = op === '<' || op === 'crosses_below';
  const side = isAbove ? 'high' : isBelow ? 'low' : null;
  const isLast = lhs.spec.type === 'field' && lhs.spec.key === 'last';
  if (side === null || !isLast || !isExtreme(rhs, side)) return null;
  return `${rhs.name} includes the last price, so nothing trades beyond it. Write “at ${rhs.name}”.`;
}

type Sides = { lhs: Value; op: Operator; right: Right; tf: Timeframe | null };

function rightOf(
  context: PhraseContext,
  { lhs, op, right, tf }: Sides,
): Result<
  {
    rhs: Ref | FieldRef | { type: 'number'; value: number };
    note: string | null;
    value: Value | null;
    isDoubtful?: true;
  },
  string
> {
  if (right.is === 'quantity') {
    const fit = fitted(right.quantity, lhs);
    if ('why' in fit) return failed(fit.why);
    const { value, ...how } = fit;
    return ok({ rhs: { type: 'number', value }, ...how, value: null });
  }
  const value = volumeOperand(lhs, right.value);
  if ('why' in value) return failed(value.why);
  const problem = misfit(lhs, op, value);
  if (problem !== null) return failed(capitalised(problem));
  const operand = operandOf(context, value, tf);
  return operand.ok ? ok({ rhs: operand.value, note: value.note, value }) : operand;
}

/** @param tf the timeframe of the whole condition */
export function compared(context: PhraseContext, sides: Sides): Made | Refused {
  const { lhs, op, right } = sides;
  const others = right.is === 'value' ? tfOf(right.value) : null;
  const tf = sides.tf ?? tfOf(lhs) ?? others;
  const left = operandOf(context, lhs, tf);
  if (!left.ok) return { why: left.error };
  const found = rightOf(context, { ...sides, tf });
  if (!found.ok) return { why: found.error };
  const notes = [lhs.note, found.value.note].filter((note) => note !== null);
  const isIndicator = [lhs, found.value.value].some((value) => value?.spec.type === 'indicator');
  return made(
    { lhs: left.value, op, rhs: found.value.rhs },
    {
      note: notes.length > 0 ? notes.join(' ') : null,
      isDoubtful:
        found.value.isDoubtful === true ||
        [lhs, found.value.value].some((value) => (value?.note ?? null) !== null),
      isByDay: isIndicator && tf === null,
    },
  );
}

/** Words that belong to no condition and do not change any. */
const NOUNS = lexiconOf([
  [
    true as const,
    words(`
      stock, stocks, share, shares, company, companies, ticker, tickers, anything, any, any stock,
      all stocks, any share, all shares, asx stocks, asx shares, names, everything, all sectors,
      any sector, every sector
    `),
  ],
]);

export const pastNouns = (tokens: readonly Token[], at: number): number =>
  nameAt(NOUNS, tokens, at)?.next ?? at;
