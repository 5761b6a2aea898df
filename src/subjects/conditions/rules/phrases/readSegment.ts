import { comparison, shortComparison } from './comparisons.ts';
import { names, past, words } from './lexicon.ts';
import { gaps, moves } from './moves.ts';
import { inRange, sector, sectorOfAlert, sinceOpen } from './places.ts';
import {
  type Form,
  type Input,
  isRefused,
  type Made,
  pastNouns,
  pastToday,
  type Read,
  type Refused,
} from './reading.ts';
import { reasonFor } from './reasons.ts';
import { STATE_FORMS } from './states.ts';
import type { Token } from './tokens.ts';
import type { Quantity } from './quantity.ts';
import type { PhraseContext, Value } from './value.ts';
import { amountTraded, relativeVolume, volumeInDollars } from './volumes.ts';

/** Words that change the meaning of no condition. */
const FILLERS: ReadonlySet<string> = new Set(
  words(`
    the, its, it, is, are, be, a, an, has, have, having, that, which, trading, trades, currently,
    must, should, their, my, asx
  `),
);

/** How people begin. */
const LEADS = names(
  ...words(`
    alert me when, alert me if, alert when, alert if, notify me when, notify me if, tell me when,
    tell me if, let me know when, let me know if, find, find me, show, show me, scan for, looking for,
    look for, give me, list, screen for, i want, search for, when, if, where, alert me once, all,
    warn me when, ping me when
  `),
);
/** Between two conditions of one piece they say "and". */
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

/** The words that count. */
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

/** Behind words that are no part of a condition. */
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
  /** A timeframe stood behind a condition. */
  isTimed: boolean;
  /** The first condition left out its left side. */
  isShort: boolean;
  /** The first condition is only a name. */
  isName: boolean;
  /** The number that the last value was compared with. */
  number: Quantity | null;
};

/**
 * The conditions of one piece of a phrase. Every word of it has to belong to a condition: what is left over could change
 * what the others mean.
 * @param before the piece before, which it may go on from
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
