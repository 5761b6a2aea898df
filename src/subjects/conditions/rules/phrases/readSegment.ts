import { comparison, shortComparison } from './comparisons.ts';
import { comparatorAt, type Lexicon, lexiconOf, nameAt, names, past, words, type Token } from './lexicon.ts';
import { gaps, moves } from './moves.ts';
import {
  type Form,
  type Input,
  isRefused,
  type Made,
  pastNouns,
  pastToday,
  type Read,
  type Refused,
  made,
  ofField,
} from './reading.ts';
import { reasonFor } from './reasons.ts';
import { STATE_FORMS } from './states.ts';
import { type Quantity, quantityAt } from './quantity.ts';
import type { PhraseContext, Value } from './value.ts';
import { amountTraded, relativeVolume, volumeInDollars } from './volumes.ts';
import { ALERT_LOGIC, type Operator } from '../condition.ts';

const IN_SECTOR: Lexicon<boolean> = lexiconOf([
  [true, ['in', 'sector', 'sector =', 'from', 'sector in', 'in sector', 'only', 'sector equal to']],
  [
    false,
    words(`
      not in, not from, not, excluding, exclude, except, except for, except in, no, non, ex, outside,
      outside of, other than, apart from, without, sector not, sector not in, sector !=, all except,
      all sectors except, any sector except
    `),
  ],
]);
const SECTOR_NOUNS = names('sector', 'sectors', 'stocks', 'shares', 'companies', 'names', 'industry');

const NO_SECTORS = 'An alert is on one stock, so it can’t compare sectors.';

/** "in the Energy sector", "not in Financials", "excluding Energy and Materials". */
const sector: Form = ({ tokens, context }, at) => {
  const asked = nameAt(IN_SECTOR, tokens, at);
  const from = asked?.next ?? at;
  const values = tokens[from]?.sectors;
  if (values === undefined) return null;
  if (context.kind === ALERT_LOGIC) return { why: NO_SECTORS };
  const op = asked?.value === false ? '!=' : '==';
  return {
    made: [made({ lhs: { type: 'field', key: 'sector' }, op, rhs: { type: 'text', values: [...values] } })],
    next: past(SECTOR_NOUNS, tokens, from + 1),
    subject: null,
  };
};

/** Alerts do not read sectors, so the names of sectors are ordinary words for them. */
const sectorOfAlert: Form = ({ tokens, context }) =>
  context.kind === ALERT_LOGIC && tokens.some(({ text }) => text === 'sector' || text === 'sectors')
    ? { why: NO_SECTORS }
    : null;

const FIRST = names('in first', 'within first', 'first', 'during first', 'in opening', 'opening');
const AFTER = names('after first', 'after opening');
const TRADING = names(
  'of trading',
  'of session',
  'of day',
  'after open',
  'from open',
  'of open',
  'since open',
);
const SINCE = names('after open', 'since open', 'from open', 'into session', 'after market open');
const WITHIN = names('within', 'in', 'less than', 'under');
const HALF_HOUR = names('half hour');
const HOUR = names('hour');

/** "30 minutes", "half hour", "hour". */
function minutesAt(tokens: readonly Token[], at: number): { minutes: number; next: number } | null {
  const half = past(HALF_HOUR, tokens, at);
  if (half > at) return { minutes: 30, next: half };
  const hour = past(HOUR, tokens, at);
  if (hour > at) return { minutes: 60, next: hour };
  const quantity = quantityAt(tokens, at, true);
  if (!quantity || quantity.value < 0) return null;
  if (quantity.unit === 'minutes') return { minutes: quantity.value, next: quantity.next };
  return quantity.unit === 'hours' ? { minutes: quantity.value * 60, next: quantity.next } : null;
}

const minutes = (op: Operator, value: number, next: number): Read => ({
  made: [ofField('minutes_since_open', op, value)],
  next,
  subject: null,
});

/** "in the first 30 minutes", "more than 15 minutes after the open". */
const sinceOpen: Form = ({ tokens }, at) => {
  for (const [words, op] of [
    [AFTER, '>='],
    [FIRST, '<'],
  ] as const) {
    const from = past(words, tokens, at);
    const found = from > at ? minutesAt(tokens, from) : null;
    if (found) return minutes(op, found.minutes, past(TRADING, tokens, found.next));
  }
  const within = past(WITHIN, tokens, at);
  const comparator = comparatorAt(tokens, at);
  const isWithin = within > at;
  const found = minutesAt(tokens, isWithin ? within : (comparator?.next ?? at));
  if (!found) return null;
  const open = isWithin && tokens[found.next]?.text === 'of' ? found.next : null;
  const next = open === null ? past(SINCE, tokens, found.next) : past(names('of open'), tokens, open);
  if (next === found.next) return null;
  return minutes(isWithin ? '<' : (comparator?.value ?? '>='), found.minutes, next);
};

const TOP: Lexicon<boolean> = lexiconOf([
  [true, ['top', 'upper', 'highest']],
  [false, ['bottom', 'lower', 'lowest']],
]);
const PARTS: Lexicon<number> = lexiconOf([
  [50, ['half']],
  [25, ['quarter']],
]);
const OF_RANGE = names(
  ...words(`
    of range, of day range, of daily range, of today range, of range for day, of range today,
    of day range today, of range of day, of intraday range, of its range
  `),
);

/** "in the top 10 % of the day's range". */
const inRange: Form = ({ tokens }, from) => {
  const at = past(names('price in', 'price within', 'last in', 'in', 'within', 'price'), tokens, from);
  const top = nameAt(TOP, tokens, at);
  if (!top) return null;
  const part = nameAt(PARTS, tokens, top.next);
  const quantity = part ? null : quantityAt(tokens, top.next);
  const percent = part?.value ?? (quantity?.unit === '%' ? quantity.value : null);
  const end = part?.next ?? quantity?.next ?? top.next;
  const next = past(OF_RANGE, tokens, end);
  if (percent === null || percent < 0 || percent > 100 || next === end) return null;
  const value = top.value ? 100 - percent : percent;
  return { made: [ofField('day_range', top.value ? '>=' : '<=', value)], next, subject: null };
};

/** Words that do not affect a condition. */
const FILLERS: ReadonlySet<string> = new Set(
  words(`
    the, its, it, is, are, be, a, an, has, have, having, that, which, trading, trades, currently,
    must, should, their, my, asx
  `),
);

const LEADS = names(
  ...words(`
    alert me when, alert me if, alert when, alert if, notify me when, notify me if, tell me when,
    tell me if, let me know when, let me know if, find, find me, show, show me, scan for, looking for,
    look for, give me, list, screen for, i want, search for, when, if, where, alert me once, all,
    warn me when, ping me when
  `),
);
/** Words that mean "and" between two conditions of one segment. */
const LINKS = names('on', 'when', 'where', 'who', 'in', 'at');

const FORMS: readonly Form[] = [
  sector,
  sectorOfAlert,
  ...STATE_FORMS,
  inRange,
  sinceOpen,
  relativeVolume,
  volumeInDollars,
  amountTraded,
  gaps,
  moves,
  comparison,
  shortComparison,
];

export const spoken = (tokens: readonly Token[]): Token[] => tokens.filter(({ text }) => !FILLERS.has(text));

function formAt(input: Input, at: number): Read | Refused | null {
  let refused: Refused | null = null;
  for (const form of FORMS) {
    const found = form(input, at);
    if (found && !isRefused(found)) return found;
    refused ??= found;
  }
  return refused;
}

/** Skips words that are not part of a condition. */
function pastIdle(tokens: readonly Token[], from: number): number {
  let at = from;
  for (;;) {
    const next = pastToday(tokens, pastNouns(tokens, at));
    if (next === at) return at;
    at = next;
  }
}

export type SegmentReading = {
  made: Made[];
  subject: Value | null;
  isTimed: boolean;
  isShort: boolean;
  /** True if the first condition is only a name. */
  isName: boolean;
  number: Quantity | null;
};

/**
 * Reads one segment. Every word must belong to a condition, because a leftover word could change the meaning.
 * @param before the previous segment, which this one may continue
 */
export function readSegment(
  all: readonly Token[],
  context: PhraseContext,
  before: Pick<SegmentReading, 'subject' | 'number'> | null,
): SegmentReading | Refused {
  const tokens = spoken(all);
  const reading: SegmentReading = {
    made: [],
    subject: null,
    isTimed: false,
    isShort: false,
    isName: false,
    number: null,
  };
  let at = pastIdle(tokens, past(LEADS, tokens, 0));
  while (at < tokens.length) {
    const isFirst = reading.made.length === 0;
    const carried = isFirst ? before : null;
    const input: Input = {
      tokens,
      context,
      isFirst,
      carry: carried?.subject ?? null,
      carriedNumber: carried?.number ?? null,
    };
    const linked = isFirst ? at : past(LINKS, tokens, at);
    const own = formAt(input, at);
    const found = own && !isRefused(own) ? own : ((linked > at ? formAt(input, linked) : null) ?? own);
    if (!found || isRefused(found)) return found ?? { why: reasonFor(tokens, tokens.slice(at)) };
    if (isFirst) {
      reading.isShort = found.isShort === true;
      reading.isName = found.isName === true;
    }
    reading.made.push(...found.made);
    reading.subject = found.subject;
    reading.number = found.number ?? null;
    reading.isTimed ||= found.isTimed === true;
    at = pastIdle(tokens, found.next);
  }
  return reading.made.length === 0 ? { why: reasonFor(tokens, tokens) } : reading;
}
