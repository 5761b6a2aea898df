import { readRecord, readText } from '#lib/read.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { ReadQueue, Steps } from '#platform/http/readQueue.ts';
import { type ledgerPage, SALTED_HASHES } from '#subjects/calls/answers/board.ts';
import { committedText, type RevealedText } from '#subjects/calls/rules/ledger/entry.ts';
import { latestRow, entryRow } from '#subjects/calls/rules/ledger/rows.ts';
import { sha256 } from './ledger.ts';
import type { LedgerStore, StoredEntry } from './store.ts';

/** Entries read per step, which takes below 1 ms on a small machine. */
const AT_ONCE = 200;

type LedgerPage = Wire<typeof ledgerPage>;
type PageRow = LedgerPage['lines'][number];
type Store = Pick<LedgerStore, 'head' | 'after' | 'peopleOf' | 'rationalesOf' | 'reasonsOf' | 'notedCalls'>;

/** Converts a wall time to the time of a market's clock, by the market's name; both epoch ms. */
export type MarketTime = (source: string, wall: number) => number;

/** Members of an entry that identify its revealed texts. */
type EntryMembers = Record<'call' | 'submitter' | 'name' | 'rationale' | 'reason', string | null>;

const NOTHING: EntryMembers = {
  call: null,
  submitter: null,
  name: null,
  rationale: null,
  reason: null,
};
/** Most entries have no salted hash and need no parsing. */
const isCommitting = (line: string): boolean => SALTED_HASHES.some((of) => line.includes(`"${of}":"`));

function membersOf({ line }: StoredEntry): EntryMembers {
  if (!isCommitting(line)) return NOTHING;
  try {
    const value = readRecord(JSON.parse(line));
    const of = (member: keyof EntryMembers): string | null => readText(value[member]);
    const [call, submitter, name] = [of('call'), of('submitter'), of('name')];
    return {
      call,
      submitter,
      name,
      rationale: of('rationale'),
      reason: of('reason'),
    };
  } catch {
    // The database was edited. Anyone who verifies the ledger sees the entry as stored.
    return NOTHING;
  }
}

const valuesOf = (
  all: readonly EntryMembers[],
  member: keyof EntryMembers,
  where: keyof EntryMembers,
): string[] => [...new Set(all.flatMap((one) => (one[where] === null ? [] : (one[member] ?? []))))];

const NO_OPENINGS: RevealedText[] = [];

function openingsFor(store: Store, all: readonly EntryMembers[]): (entry: EntryMembers) => RevealedText[] {
  const people = new Map(store.peopleOf(valuesOf(all, 'submitter', 'name')).map((one) => [one.ref, one]));
  const rationales = new Map(
    store.rationalesOf(valuesOf(all, 'call', 'rationale')).map((one) => [one.call, one]),
  );
  const reasons = Map.groupBy(store.reasonsOf(valuesOf(all, 'call', 'reason')), ({ call }) => call);
  return ({ call, submitter, name, rationale, reason }) => {
    const openings: RevealedText[] = [];
    const person = people.get(submitter ?? '');
    // A former name is not revealed.
    if (person && person.name === name)
      openings.push({ of: 'name', salt: person.salt, text: person.username });
    const why = rationale === null ? undefined : rationales.get(call ?? '');
    if (why) openings.push({ of: 'rationale', salt: why.salt, text: why.text });
    const stated = reason === null ? [] : (reasons.get(call ?? '') ?? []);
    const own = stated.find(({ salt, text }) => sha256(committedText(salt, text)) === reason);
    if (own) openings.push({ of: 'reason', salt: own.salt, text: own.text });
    return openings;
  };
}

function withOpenings(store: Store, lines: readonly StoredEntry[]): PageRow[] {
  const all = lines.map(membersOf);
  const committing = all.filter((one) => one !== NOTHING);
  if (committing.length === 0)
    return lines.map(({ line, hash }) => ({
      line,
      hash,
      openings: NO_OPENINGS,
    }));
  const openingsOf = openingsFor(store, committing);
  return lines.map(({ line, hash }, index) => {
    const one = all[index] ?? NOTHING;
    return {
      line,
      hash,
      openings: one === NOTHING ? NO_OPENINGS : openingsOf(one),
    };
  });
}

type Stretch = { after: number; limit: number };

function* readStretch(
  store: Store,
  { after, limit }: Stretch,
  take: (rows: PageRow[]) => void,
): Steps<undefined> {
  for (let given = 0; ; ) {
    const wanted = Math.min(AT_ONCE, limit - given);
    const some = store.after(after + given, wanted);
    take(withOpenings(store, some));
    given += some.length;
    if (some.length < wanted || given >= limit) return undefined;
    yield;
  }
}

const CALL = /"call":"([^"\\]{1,100})"/;
const TIMES = /"(?:time|at)":"([^"\\]{20,30})"/g;
/** Smaller differences between the two clocks are not visible on a page. */
const SAME_TIME_MS = 1000;

/** Times of an entry by its market's clock, if they differ. */
function marketTimesOf(line: string, source: string, marketTime: MarketTime): Record<string, string> {
  const times: Record<string, string> = {};
  for (const [, iso = ''] of line.matchAll(TIMES)) {
    const wall = Date.parse(iso);
    const shown = Number.isNaN(wall) ? wall : marketTime(source, wall);
    if (Math.abs(shown - wall) >= SAME_TIME_MS) times[iso] = new Date(shown).toISOString();
  }
  return times;
}

function withNotes(store: Store, rows: readonly PageRow[], marketTime: MarketTime): PageRow[] {
  const ids = rows.map(({ line }) => CALL.exec(line)?.[1] ?? '');
  const byCall = new Map(store.notedCalls([...new Set(ids)]).map((noted) => [noted.call, noted]));
  return rows.map((row, index) => {
    const noted = byCall.get(ids[index] ?? '');
    if (!noted) return row;
    const marketTimes = marketTimesOf(row.line, noted.source, marketTime);
    return {
      ...row,
      ...(noted.isInReview === 1 ? { isInReview: true } : {}),
      ...(Object.keys(marketTimes).length > 0 ? { marketTimes } : {}),
    };
  });
}

/** Reads a page of the ledger in steps. @param after number of the entry before the page */
export function* readLedgerPage(store: Store, stretch: Stretch, marketTime: MarketTime): Steps<LedgerPage> {
  const lines: PageRow[] = [];
  yield* readStretch(store, stretch, (rows) => void lines.push(...withNotes(store, rows, marketTime)));
  return { lines, head: store.head() };
}

export function* readLedgerRows(store: Store, stretch: Stretch): Steps<string> {
  let text = '';
  yield* readStretch(store, stretch, (rows) => {
    for (const row of rows) text += entryRow(row);
  });
  return latestRow(store.head()) + text;
}

/** Number of entries and mean bytes of the newest ones. Summing a million entries would take a second. */
export function createLedgerSize(store: Store): () => { lines: number; mean: number } {
  let size = { lines: 0, mean: 0 };
  return () => {
    const lines = store.head()?.number ?? 0;
    if (lines === size.lines) return size;
    const newest = store.after(Math.max(0, lines - AT_ONCE), AT_ONCE);
    const bytes = newest.reduce((sum, { line }) => sum + line.length + 1, 0);
    size = { lines, mean: bytes / Math.max(1, newest.length) };
    return size;
  };
}

const CHUNK = 500;

function* readChunk({ after }: Store, number: number, count: number): Steps<string> {
  yield;
  return after(number, count)
    .map(({ line }) => `${line}\n`)
    .join('');
}

/**
 * The ledger as a file, one entry per line exactly as hashed. A piece is read only when the client takes it, so that a
 * slow client holds no memory.
 */
export function ledgerFile(store: Store, reads: ReadQueue, caller: string): ReadableStream<Uint8Array> {
  const last = store.head()?.number ?? 0;
  const encoder = new TextEncoder();
  let given = 0;
  return new ReadableStream({
    async pull(controller) {
      const count = Math.min(CHUNK, last - given);
      if (count > 0) {
        const chunk = await reads.run(caller, 'ledger file', readChunk(store, given, count));
        controller.enqueue(encoder.encode(chunk));
        given += count;
      }
      if (given >= last) controller.close();
    },
  });
}
