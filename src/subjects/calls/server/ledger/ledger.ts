import type { MarkChange } from '#subjects/calls/rules/types.ts';
import {
  correctedEvents,
  type DecidedBy,
  importedText,
  type Marks,
  marksBetween,
  postedEvent,
  turnsBetween,
} from '#subjects/calls/rules/ledger/events.ts';
import {
  committedText,
  type LedgerEvent,
  type LatestEntry,
  entryText,
  NO_HASH,
} from '#subjects/calls/rules/ledger/entry.ts';
import type { App } from '#platform/app.ts';
import { toState } from '../rows.ts';
import type { CallRow } from '../store.ts';
import { type LedgerPerson, type LedgerStore, ledgerStore } from './store.ts';

/** SHA-256 of a text's UTF-8 bytes, hex. */
export const sha256 = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex');

/** Origin of calls that have no ledger entries of their own. */
type ImportedFrom = 'before the ledger' | 'demonstration';

type Author = { id: number; username: string };

/**
 * The ledger of calls. Every change of a call or its submitter adds an entry in the same transaction, so that a crash
 * cannot separate them.
 */
export class Ledger {
  readonly #store: LedgerStore;

  constructor(private readonly app: App) {
    this.#store = ledgerStore(app.db);
  }

  /** The latest entry; null if the ledger is empty. */
  head(): LatestEntry | null {
    return this.#store.head();
  }

  posted(row: CallRow, author: Author): void {
    const { ref, name } = this.#named(author);
    const { rationale, rationaleSalt: salt } = row;
    const reason = rationale === null || salt === null ? null : sha256(committedText(salt, rationale));
    this.#append([postedEvent(row, { submitter: ref, name, rationale: reason })], row.submittedAt);
  }

  /** Adds entries for marks of the tracker. @param before the marks on disk */
  marked(call: string, before: Marks, after: Marks): void {
    this.#append(marksBetween(call, before, after));
  }

  /** Adds entries for a changed call and its marks. @param before the call on disk */
  changed(before: CallRow, after: CallRow, by: DecidedBy): void {
    const { publicId } = before;
    this.#append([
      ...marksBetween(publicId, toState(before), toState(after)),
      ...turnsBetween(publicId, before, after, by),
    ]);
  }

  /** Adds the entries of an administrator's correction. @param salt hashed with the reason */
  corrected(
    before: CallRow,
    after: CallRow,
    { changes, reason, salt }: { changes: readonly MarkChange[]; reason: string; salt: string },
  ): void {
    const committed = { changes, reason: sha256(committedText(salt, reason)) };
    this.#append(correctedEvents(before.publicId, committed, before, after));
  }

  /** Adds an entry for a deleted account. Its name can no longer be revealed. */
  left(userId: number): void {
    const known = this.#store.person(userId);
    // A user without calls has no entries.
    if (!known && !this.#store.hasCalls(userId)) return;
    this.#append([{ kind: 'deleted', submitter: known?.ref ?? this.app.randomToken() }]);
  }

  /** Adds one entry for calls without entries of their own: their number and a hash of their state. */
  imported(rows: Iterable<CallRow>, from: ImportedFrom): void {
    const hasher = new Bun.CryptoHasher('sha256');
    let count = 0;
    for (const row of rows) {
      hasher.update(`${importedText(row, toState(row), row)}\n`);
      count += 1;
    }
    if (count > 0) this.#append([{ kind: 'imported', calls: count, state: hasher.digest('hex'), from }]);
  }

  /** Imports calls that are older than the ledger and records changed names. Call it at start. */
  resume(): void {
    const store = this.#store;
    const isNew = this.head() === null;
    const renamed = isNew ? [] : store.people().filter((person) => !this.#isCalled(person, person.username));
    if (!isNew && renamed.length === 0) return;
    store.inTransaction(() => {
      if (isNew) this.imported(store.storedCalls(), 'before the ledger');
      for (const { username, ...person } of renamed) this.#rename(person, username);
    });
  }

  #isCalled({ salt, name }: LedgerPerson, username: string): boolean {
    return sha256(committedText(salt, username)) === name;
  }

  #named({ id, username }: Author): LedgerPerson {
    const known = this.#store.person(id);
    if (known) return this.#isCalled(known, username) ? known : this.#rename(known, username);
    const salt = this.app.randomToken();
    const name = sha256(committedText(salt, username));
    const person = { userId: id, ref: this.app.randomToken(), salt, name };
    this.#store.putPerson(person);
    return person;
  }

  #rename(known: LedgerPerson, username: string): LedgerPerson {
    const salt = this.app.randomToken();
    const person = {
      ...known,
      salt,
      name: sha256(committedText(salt, username)),
    };
    this.#store.putPerson(person);
    this.#append([{ kind: 'renamed', submitter: person.ref, name: person.name }]);
    return person;
  }

  /** @param time epoch ms @throws Error outside a transaction: a crash could separate entry and change */
  #append(events: readonly LedgerEvent[], time = this.app.clock.now()): void {
    if (events.length === 0) return;
    if (!this.#store.isInTransaction())
      throw new Error('A ledger entry must be written in the transaction of its event.');
    let { number, hash } = this.head() ?? { number: 0, hash: NO_HASH };
    for (const event of events) {
      number += 1;
      const line = entryText(number, time, event, hash);
      hash = sha256(line);
      this.#store.insert(number, line, hash);
    }
  }
}
