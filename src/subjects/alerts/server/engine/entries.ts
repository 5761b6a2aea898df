import { type Latch, NEW } from '../../rules/latch.ts';
import type { Alert } from '../../rules/alert.ts';
import type { DayMemory } from '../../rules/dayMemory.ts';
import { OperandColumns } from '../../rules/operandColumns.ts';
import { Program, type Span } from '../../rules/program.ts';
import { logicKey, type ScansOf } from '../../../conditions/rules/savedScan.ts';
import type { StoppedAlert } from './types.ts';

/**
 * What the engine keeps of an alert in memory; its conditions are in the program alone. What every evaluation looks at
 * stands first, so that it lies together.
 */
export type Entry = {
  latch: Latch;
  /** It fired and its trigger is not on disk yet: it is not evaluated until it is. */
  isWaiting: boolean;
  /** The market was taken to another moment: what holds there has not begun to, so its next evaluation fires nothing. */
  isPriming: boolean;
  /** The last evaluation that decided, epoch ms on the market's clock; null before the first. */
  evaluatedAt: number | null;
  /** What is true at its first evaluation waits until this reading of the stopwatch; see `arming.ts`. */
  armAt: number;
  readonly first: number;
  readonly count: number;
  readonly hasCrossings: boolean;
  readonly readsAuction: boolean;
  readonly readsHalt: boolean;
  readonly id: number;
  readonly book: Book;
  /** Where it stands in its book. */
  index: number;
  /** Of the symbol and the logic: what is remembered belongs to them. */
  readonly logicHash: number;
  userId: number;
  version: number;
  name: string | null;
  note: string | null;
  /** By the market's clock. */
  expiresAt: number | null;
  /** Epoch ms, as it is stored. */
  armedAt: number | null;
  /** It was true at its first look and waits to be armed: until then it is not evaluated. */
  isArming: boolean;
  /** What the alert asked when it was armed last, and its latch then; null where it was not. */
  former: { logicHash: number; latch: Latch } | null;
  persistent: boolean;
  telegram: boolean;
  discord: boolean;
  snoozedUntil: number | null;
  lastTriggeredAt: number | null;
  /** No trigger before this reading of the stopwatch. */
  coolUntil: number;
  /** It was changed, removed or switched off: whoever still holds it leaves it alone. */
  isGone: boolean;
};

/** The alerts on one stock, and what they read of it. */
export type Book = {
  readonly symbol: string;
  readonly entries: Entry[];
  /** Columns of the program that must be read, and how many alerts read each. */
  columns: number[];
  readonly readers: Map<number, number>;
  readonly days: DayMemory;
};

/**
 * A number below 2 ** 52 for an alert's symbol and what it asks: its logic, with the conditions of the saved scans in it.
 * @param text the logic as JSON
 */
export function hashLogic(
  { userId, symbol, logic }: Pick<Alert, 'userId' | 'symbol' | 'logic'>,
  text: string,
  scansOf: ScansOf,
): number {
  const asked = text.includes('"type":"scan"') ? logicKey(logic, scansOf(userId)) : text;
  return Number(BigInt.asUintN(52, BigInt(Bun.hash(`${symbol} ${asked}`))));
}

const newBook = (symbol: string): Book => ({
  symbol,
  entries: [],
  columns: [],
  readers: new Map(),
  days: { quote: null, prior: null },
});

/** The alerts in memory, by id and by symbol, and their conditions, compiled. */
export function createEntries(scansOf: ScansOf) {
  const columns = new OperandColumns();
  const program = new Program(columns);
  const byId = new Map<number, Entry>();
  const books = new Map<string, Book>();

  function bookOf(symbol: string): Book {
    const existing = books.get(symbol);
    if (existing) return existing;
    const created = newBook(symbol);
    books.set(symbol, created);
    return created;
  }

  /** @param by 1 for an alert that comes, −1 for one that goes */
  function countReaders(book: Book, span: Span, by: 1 | -1): void {
    for (const column of program.columnsOf(span)) {
      const readers = (book.readers.get(column) ?? 0) + by;
      if (readers > 0) book.readers.set(column, readers);
      else book.readers.delete(column);
    }
    if (book.columns.length !== book.readers.size) book.columns = [...book.readers.keys()];
  }

  return {
    program,
    columns,
    get: (id: number): Entry | undefined => byId.get(id),
    book: (symbol: string): Book | undefined => books.get(symbol),
    all: (): Iterable<Entry> => byId.values(),
    books: (): Iterable<Book> => books.values(),

    /** Compiles an alert; where an older form of it is in memory, `get` gives the new one from now on. */
    add(alert: Alert, logicHash: number): Entry {
      const book = bookOf(alert.symbol);
      const span = program.add(alert.logic, scansOf(alert.userId));
      const entry: Entry = {
        latch: NEW,
        isWaiting: false,
        isPriming: false,
        evaluatedAt: null,
        armAt: Number.NEGATIVE_INFINITY,
        first: span.first,
        count: span.count,
        hasCrossings: span.hasCrossings,
        readsAuction: span.readsAuction,
        readsHalt: span.readsHalt,
        id: alert.id,
        book,
        index: book.entries.length,
        logicHash,
        userId: alert.userId,
        version: alert.version,
        name: alert.name,
        note: alert.note,
        expiresAt: alert.expiresAt,
        armedAt: alert.armedAt,
        isArming: false,
        former: null,
        persistent: alert.persistent,
        telegram: alert.destinations.telegram,
        discord: alert.destinations.discord,
        snoozedUntil: alert.snoozedUntil,
        lastTriggeredAt: alert.lastTriggeredAt,
        coolUntil: Number.NEGATIVE_INFINITY,
        isGone: false,
      };
      byId.set(alert.id, entry);
      book.entries.push(entry);
      countReaders(book, span, 1);
      return entry;
    },

    remove(entry: Entry): void {
      entry.isGone = true;
      if (byId.get(entry.id) === entry) byId.delete(entry.id);
      const { book } = entry;
      const { entries } = book;
      const last = entries.pop();
      if (last && last !== entry) {
        entries[entry.index] = last;
        last.index = entry.index;
      }
      countReaders(book, entry, -1);
      program.remove(entry);
      if (entries.length === 0) books.delete(book.symbol);
    },

    counts: () => ({ alerts: byId.size, symbols: books.size, scans: columns.scanCount() }),
  };
}

export type Entries = ReturnType<typeof createEntries>;

/** What a person may change of an alert while its conditions stay: what is remembered of it stays too. */
export function changeEntry(entry: Entry, alert: Alert): void {
  entry.userId = alert.userId;
  entry.version = alert.version;
  entry.name = alert.name;
  entry.note = alert.note;
  entry.expiresAt = alert.expiresAt;
  entry.persistent = alert.persistent;
  entry.telegram = alert.destinations.telegram;
  entry.discord = alert.destinations.discord;
  entry.snoozedUntil = alert.snoozedUntil;
  entry.lastTriggeredAt = alert.lastTriggeredAt;
}

/** An alert that was stopped. @param reason why */
export const stoppedAlert = (entry: Entry, reason: string | null): StoppedAlert => ({
  id: entry.id,
  userId: entry.userId,
  symbol: entry.book.symbol,
  name: entry.name,
  active: false,
  persistent: entry.persistent,
  destinations: { telegram: entry.telegram, discord: entry.discord },
  version: entry.version,
  lastTriggeredAt: entry.lastTriggeredAt,
  snoozedUntil: entry.snoozedUntil,
  stoppedReason: reason,
  note: entry.note,
  expiresAt: entry.expiresAt,
  armedAt: entry.armedAt,
});
