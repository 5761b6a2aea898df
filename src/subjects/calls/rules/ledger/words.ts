import { isRecord, type JsonRecord } from '#lib/json.ts';
import { parseNumeric } from '#lib/numericInput.ts';
import { readChoice, readIsoTime, readNumber, readText } from '#lib/read.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { DASH, formatMoment } from '#texts/format.ts';
import { formatCallPrice, formatResult } from '../callFormat.ts';
import { summariseCall } from '../callSummary.ts';
import { formatPocketed } from '../pocketed.ts';
import { formatChange } from '../resultText.ts';
import { MARKS, STOP_LOSS_TYPES } from '#subjects/calls/answers/call.ts';
import { type MarkValue } from '../types.ts';
import {
  type LatestEntry,
  LEDGER_KINDS,
  type LedgerKind,
  type LedgerRow,
  entryName,
  type EntryNotes,
} from './entry.ts';

export type EntryWords = {
  number: number;
  /** Epoch ms; null if the entry has none. */
  time: number | null;
  call: string | null;
  title: string;
  text: string;
};

const TITLES: Readonly<Record<LedgerKind, string>> = {
  imported: 'Imported',
  posted: 'Posted',
  entered: 'Entered',
  filled: 'Filled',
  target: 'Target',
  stop: 'Stop',
  closed: 'Closed',
  cancelled: 'Cancelled',
  settled: 'Settled',
  paused: 'Paused',
  moderated: 'Moderated',
  corrected: 'Corrected',
  renamed: 'Renamed',
  deleted: 'Account deleted',
};

const price = (entry: JsonRecord, member = 'price'): string => formatCallPrice(readNumber(entry[member]));
const moment = (entry: JsonRecord): string => formatMoment(readIsoTime(entry['at']));

function postedText(entry: JsonRecord): string {
  const parts = summariseCall({
    symbol: readText(entry['symbol']) ?? '',
    callType: entry['type'] === 'bought' ? 'bought' : 'buy',
    isShort: entry['short'] === true,
    entryPrice: readNumber(entry['entry']),
    targetPrice: readNumber(entry['target']),
    stopLossType: readChoice(STOP_LOSS_TYPES)(entry['stopType']) ?? 'NONE',
    stopLoss: readNumber(entry['stop']),
  });
  return parts?.map(({ text }) => text).join(', ') ?? DASH;
}

const IN_REVIEW = 'in review';

/** A gain in review does not count and is not shown. */
function resultText(entry: JsonRecord, { isInReview }: EntryNotes): string {
  const result = readNumber(entry['result']);
  return isInReview === true && result !== null && result > 0 ? IN_REVIEW : formatResult(result);
}

function endText(entry: JsonRecord, notes: EntryNotes): string {
  const { pocketed, result, awaitsExit } = entry;
  const last = `last price ${price(entry)}`;
  const claim = notes.isInReview === true ? IN_REVIEW : formatPocketed(readNumber(pocketed));
  const parts = pocketed === null ? [`At the ${last}`] : [`Pocketed ${claim}`, last];
  if (awaitsExit === true) parts.push('the result awaits the next trade');
  else parts.push(result === null ? 'no verified result' : `verified ${resultText(entry, notes)}`);
  return parts.join(', ');
}

function correctedText(entry: JsonRecord): string {
  const mark = readChoice(MARKS)(entry['mark']);
  if (mark === null) return DASH;
  const valueOf = (value: unknown): MarkValue => {
    if (typeof value === 'number' || typeof value === 'boolean') return value;
    const [at, traded] = isRecord(value)
      ? [readIsoTime(value['at']), readNumber(value['price'])]
      : [null, null];
    return at === null || traded === null ? null : { at, price: traded };
  };
  return formatChange({ mark, before: valueOf(entry['before']), after: valueOf(entry['after']) });
}

const TEXTS: Readonly<Record<LedgerKind, (entry: JsonRecord, notes: EntryNotes) => string>> = {
  imported: ({ calls, from }) =>
    from === 'demonstration'
      ? `${String(calls)} demo calls`
      : `${String(calls)} calls made before the ledger existed`,
  posted: postedText,
  entered: (entry) => `First trade after posting at ${price(entry)}, ${moment(entry)}`,
  filled: (entry) => `Filled at ${price(entry)}, ${moment(entry)}`,
  target: (entry) => `Target reached at ${price(entry)}, ${moment(entry)}`,
  stop: (entry) => `Stop at ${price(entry, 'level')} reached at ${price(entry)}, ${moment(entry)}`,
  closed: endText,
  cancelled: endText,
  settled: (entry, notes) =>
    `First trade after the end at ${price(entry)}, verified ${resultText(entry, notes)}`,
  paused: () => 'Prices are no longer followed',
  moderated: ({ from, to, by }) =>
    `${String(from)} → ${String(to)}, ${by === 'rules' ? 'by the rules' : 'by an administrator'}`,
  corrected: correctedText,
  renamed: () => 'A submitter changed the username',
  deleted: () => 'A submitter deleted the account. The name is no longer shown',
};

/** Uses the clock of the call's market. Members that cannot be read, as in a broken ledger, are dashes. */
export function entryWords(
  { line, ...notes }: Pick<LedgerRow, 'line'> & EntryNotes,
  number: number,
): EntryWords {
  const shownTime = (name: string, value: unknown): unknown =>
    (name === 'time' || name === 'at') && typeof value === 'string'
      ? (notes.marketTimes?.[value] ?? value)
      : value;
  let entry: unknown = null;
  try {
    entry = JSON.parse(line, shownTime);
  } catch {
    // The entry was changed; the page shows its raw text next to this.
  }
  if (!isRecord(entry)) return { number, time: null, call: null, title: DASH, text: DASH };
  const kind = readChoice(LEDGER_KINDS)(entry['kind']);
  const time = readIsoTime(entry['time']);
  return {
    number,
    time: time === null ? null : Date.parse(time),
    call: readText(entry['call']),
    title: kind === null ? DASH : TITLES[kind],
    text: kind === null ? DASH : TEXTS[kind](entry, notes),
  };
}

const MIN_HASH = 12;
const HASH = /^[0-9a-f]{12,64}$/;

/** A number and a hash that were pasted together into one of the two boxes. */
const TOGETHER = /^(?:line |entry ){0,1}(\d{1,12})(?:,? hash){0,1}[\s:,·]{1,5}([0-9a-f]{12,64})$/i;

type TypedEntry = { number: string; hash: string };

export function splitNoted(typed: TypedEntry): TypedEntry {
  for (const text of [typed.number, typed.hash]) {
    const [, number, hash] = TOGETHER.exec(text.trim()) ?? [];
    if (number !== undefined && hash !== undefined) return { number, hash };
  }
  return typed;
}

/** Reads an entry that a user saved: its number, and its hash or the start of it. */
export function readNoted(sent: TypedEntry): Result<LatestEntry> {
  const number = parseNumeric(sent.number);
  if (number === null || !Number.isSafeInteger(number) || number < 1) {
    return refuse('Enter the number of an entry, 1 or more.', 'number');
  }
  const hash = sent.hash.trim().toLowerCase();
  if (!HASH.test(hash)) {
    return refuse(`Enter at least the first ${MIN_HASH} characters of the hash.`, 'hash');
  }
  return ok({ number, hash });
}

/** `isWell` is true if the chain contains the entry. */
type SavedHashAnswer = { isWell: boolean; text: string };

/**
 * Compares a saved entry with a verified chain.
 * @param chain its valid entries and their hashes; `isWhole` if they are the whole ledger
 */
export function compareNoted(
  { number, hash }: LatestEntry,
  chain: { checked: number; isWhole: boolean; hashOf(number: number): string | null },
): SavedHashAnswer {
  const today = chain.hashOf(number);
  if (today?.startsWith(hash)) {
    return {
      isWell: true,
      text: `It matches: nothing up to ${entryName(number)} has changed since you saved the hash.`,
    };
  }
  if (today !== null) {
    const where = number === 1 ? 'Entry 1' : `One of entries 1 to ${number.toLocaleString('en-AU')}`;
    return {
      isWell: false,
      text: `It does not match: the hash of ${entryName(number)} is now ${today}. ${where} was changed after you saved the hash.`,
    };
  }
  if (!chain.isWhole) {
    return {
      isWell: false,
      text: `The chain breaks at ${entryName(chain.checked + 1)}, before your saved entry.`,
    };
  }
  return {
    isWell: false,
    text: `The chain ends at ${entryName(chain.checked)}, before your saved entry. Entries are missing, for example because an older backup was restored.`,
  };
}
