import type { Operator } from '../condition.ts';
import { changeOf } from './comparisons.ts';
import {
  comparatorAt,
  type Lexicon,
  lexiconOf,
  nameAt,
  names,
  past,
  suffixAt,
  words,
  type Token,
} from './lexicon.ts';
import { CHANGE, GAP, PIPS } from './fields.ts';
import { type Quantity, quantityAt, rangeAt } from './quantity.ts';
import {
  compared,
  type Form,
  type Input,
  type Made,
  pastPreOpen,
  pastToday,
  type Read,
  type Refused,
} from './reading.ts';
import type { Value } from './value.ts';

type Direction = 1 | -1;

const MOVING: Lexicon<Direction> = lexiconOf<Direction>([
  [
    1,
    words(`
      up, gaining, gained, gains, rising, risen, rallying, rallied, higher, climbing, advancing, jumped,
      jumping, surging, surged, moving up, moved up, going up, rises, gain, gain of, rise of,
      gaining over, jumps, rallies, climbs, moves up
    `),
  ],
  [
    -1,
    words(`
      down, losing, lost, loses, falling, fallen, fell, dropping, dropped, declining, lower, off,
      moving down, moved down, going down, falls, drops, loss of, fall of, drop of, sinking, tanking,
      loss, fall, moves down, decline of
    `),
  ],
]);
/** Directions after a number: "5 % up". */
const BEHIND: Lexicon<Direction> = lexiconOf<Direction>([
  [1, ['up', 'higher', 'gain', 'in green', 'rise']],
  [-1, ['down', 'lower', 'loss', 'off', 'fall', 'drop', 'in red']],
]);
const GAPPING: Lexicon<Direction | 0> = lexiconOf<Direction | 0>([
  [0, ['gapping', 'gaps', 'gapped', 'gapper', 'gappers']],
  [
    1,
    words(`
      gap up, gaps up, gapping up, gapped up, gapping higher, gap higher, gapped higher, opening gap up,
      gap ups
    `),
  ],
  [
    -1,
    words(`
      gap down, gaps down, gapping down, gapped down, gapping lower, gap lower, gapped lower,
      opening gap down, gap downs
    `),
  ],
]);

const PRICE = names('price', 'share price', 'stock price', 'last price', 'last');
const BY = names('by', 'of', 'by about');
const FROM_OPEN = names('from open', 'since open', 'from day open', 'from opening price', 'off open');
const FROM_CLOSE = names(
  'from previous close',
  'from yesterday close',
  'since yesterday close',
  'from last close',
);

const PERIODS: Lexicon<Value> = lexiconOf([
  [changeOf('W'), ['this week', 'for week', 'on week', 'in week']],
  [changeOf('M'), ['this month', 'for month', 'on month', 'in month']],
]);

const FROM_OPEN_CHANGE: Value = {
  spec: { type: 'indicator', family: 'change-from-open', length: null, tf: 'D' },
  kind: 'percent',
  name: 'the change from the open',
  note: null,
};

const turned = (quantity: Quantity, direction: Direction): Quantity =>
  direction === 1 ? quantity : { ...quantity, value: -quantity.value };

const TURNED: Readonly<Record<Operator, Operator>> = {
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
  '==': '==',
  '!=': '!=',
  crosses_above: 'crosses_below',
  crosses_below: 'crosses_above',
};

type Bound = { op: Operator; quantity: Quantity };

/** A distance as an upward one: "over 5 %", "between 2 and 5 %", "5 % or more". */
function boundsAt(tokens: readonly Token[], from: number): { bounds: Bound[]; next: number } | null {
  const at = past(BY, tokens, from);
  const isBetween = tokens[at]?.text === 'between';
  const range = rangeAt(tokens, isBetween ? at + 1 : at);
  if (isBetween || range) {
    if (!range || range[0].value < 0 || range[0].value >= range[1].value) return null;
    const [low, high] = range;
    return {
      bounds: [
        { op: '>=', quantity: low },
        { op: '<=', quantity: high },
      ],
      next: high.next,
    };
  }
  const comparator = comparatorAt(tokens, at);
  const quantity = quantityAt(tokens, comparator?.next ?? at);
  if (!quantity || quantity.value < 0) return null;
  const suffix = suffixAt(tokens, quantity.next);
  if (comparator && suffix) return null;
  const op = comparator?.value ?? suffix?.value ?? '>=';
  // "Up less than 5 %" still means up.
  const isUpper = op === '<' || op === '<=';
  const bounds: Bound[] = isUpper ? [{ op: '>', quantity: { ...quantity, value: 0 } }] : [];
  return { bounds: [...bounds, { op, quantity }], next: suffix?.next ?? quantity.next };
}

const NO_CENTS = 'A change in dollars or cents is not available. Use per cent or pips.';
const BY_WHAT = 'By how much, in per cent or pips? For example “up 5%”.';

/** The value that moved, by the number's unit and the words after it. */
function movedAt(
  tokens: readonly Token[],
  at: number,
  quantity: Quantity | null,
): { lhs: Value; next: number } | Refused {
  if (quantity?.unit === 'pips') return { lhs: PIPS, next: pastToday(tokens, past(FROM_CLOSE, tokens, at)) };
  if (quantity?.unit === '$' || quantity?.unit === 'c') return { why: NO_CENTS };
  if (quantity && quantity.unit !== '%') return { why: BY_WHAT };
  const period = nameAt(PERIODS, tokens, at);
  if (period) return { lhs: period.value, next: period.next };
  const open = past(FROM_OPEN, tokens, at);
  if (open > at) return { lhs: FROM_OPEN_CHANGE, next: open };
  return { lhs: CHANGE, next: pastToday(tokens, past(FROM_CLOSE, tokens, at)) };
}

function bounded(
  { context }: Input,
  lhs: Value,
  { bounds, direction, next }: { bounds: readonly Bound[]; direction: Direction; next: number },
): Read | Refused {
  const conditions: Made[] = [];
  for (const { op, quantity } of bounds) {
    const right = { is: 'quantity', quantity: turned(quantity, direction) } as const;
    const made = compared(context, { lhs, op: direction === 1 ? op : TURNED[op], right, tf: null });
    if ('why' in made) return made;
    conditions.push(made);
  }
  return { made: conditions, next, subject: lhs };
}

const ZERO = { value: 0, unit: null, power: 0, next: 0 } as const;
const ALONE: ReadonlySet<string> = new Set(['up', 'down', 'higher', 'lower']);

/** "up 5 %", "down more than 3 % today", "up 20 pips", "down on the day". */
const movingFirst: Form = (input, at) => {
  const { tokens } = input;
  const moving = nameAt(MOVING, tokens, past(PRICE, tokens, at));
  if (!moving) return null;
  const { value: direction } = moving;
  const found = boundsAt(tokens, moving.next);
  if (!found) {
    const moved = movedAt(tokens, moving.next, null);
    if ('why' in moved || !ALONE.has(tokens[moving.next - 1]?.text ?? '')) return null;
    return bounded(input, moved.lhs, { bounds: [{ op: '>', quantity: ZERO }], direction, next: moved.next });
  }
  const moved = movedAt(tokens, found.next, found.bounds.at(-1)?.quantity ?? null);
  if ('why' in moved) return moved;
  return bounded(input, moved.lhs, { bounds: found.bounds, direction, next: moved.next });
};

/** "5 % up", "more than 3 % lower". */
const numberFirst: Form = (input, at) => {
  const { tokens } = input;
  const found = boundsAt(tokens, at);
  const behind = found && nameAt(BEHIND, tokens, found.next);
  if (!found || !behind) return null;
  const moved = movedAt(tokens, behind.next, found.bounds.at(-1)?.quantity ?? null);
  if ('why' in moved) return moved;
  return bounded(input, moved.lhs, { bounds: found.bounds, direction: behind.value, next: moved.next });
};

export const moves: Form = (input, at) => movingFirst(input, at) ?? numberFirst(input, at);

const WHICH_GAP = 'Up or down, and by how much? For example “gapping up over 3%”.';
const A_GAP_UP = 'Read as a gap up. For a gap down, write “gapping down over 3%”.';

/** "gapping over 3 %", "gap down more than 4 % in the pre-open", "3 % gap up". */
export const gaps: Form = (input, at) => {
  const { tokens } = input;
  const first = nameAt(GAPPING, tokens, at);
  const found = boundsAt(tokens, first?.next ?? at);
  const behind = first ?? (found && nameAt(GAPPING, tokens, found.next));
  if (!behind) return tokens[at]?.text === 'gap' ? gapBehind(input, at) : gapNoun(input, at, found);
  const direction = behind.value === -1 ? -1 : 1;
  if (!found) {
    if (behind.value === 0) return { why: WHICH_GAP };
    const next = pastPreOpen(tokens, behind.next);
    return bounded(input, GAP, { bounds: [{ op: '>', quantity: ZERO }], direction, next });
  }
  const next = pastPreOpen(tokens, first ? found.next : behind.next);
  const read = bounded(input, GAP, { bounds: found.bounds, direction, next });
  if ('why' in read || behind.value !== 0) return read;
  return { ...read, made: read.made.map((one) => ({ ...one, note: A_GAP_UP })) };
};

function gapNoun(
  input: Input,
  _at: number,
  found: { bounds: Bound[]; next: number } | null,
): Read | Refused | null {
  const { tokens } = input;
  if (!found || tokens[found.next]?.text !== 'gap') return null;
  const next = pastPreOpen(tokens, found.next + 1);
  return bounded(input, GAP, { bounds: found.bounds, direction: 1, next });
}

/** "gap of 3 %" without a comparison. */
function gapBehind(input: Input, at: number): Read | Refused | null {
  const { tokens } = input;
  const found = comparatorAt(tokens, past(BY, tokens, at + 1)) ? null : boundsAt(tokens, at + 1);
  if (!found) return null;
  return bounded(input, GAP, { bounds: found.bounds, direction: 1, next: pastPreOpen(tokens, found.next) });
}
