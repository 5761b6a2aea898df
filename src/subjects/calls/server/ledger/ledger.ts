import type { MarkChange } from '#subjects/calls/rules/types.ts';
import {
  correctedDeeds,
  type DecidedBy,
  importedText,
  type Marks,
  marksBetween,
  postedDeed,
  turnsBetween,
} from '#subjects/calls/rules/ledger/deeds.ts';
import { committedText, type Deed, type Head, lineText, NO_HASH } from '#subjects/calls/rules/ledger/line.ts';
import type { App } from '#platform/app.ts';
import { toState } from '../rows.ts';
import type { CallRow } from '../store.ts';
import { type LedgerPerson, type LedgerStore, ledgerStore } from './store.ts';

/** SHA-256 of a text's UTF-8 bytes, hex. */
export const sha256 = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('hex');

/** Where calls come from that were made without the ledger. */
type ImportedFrom = 'before the ledger' | 'demonstration';

type Author = { id: number; username: string };

/**
 * The ledger of calls. Whoever changes a call, or who stands behind it, says so here in the same transaction: then there is
 * no deed without its line, and no line without its deed, whenever the process is killed.
 */
export class Ledger {
  readonly #store: LedgerStore;

  constructor(private readonly app: App) {
    this.#store = ledgerStore(app.db);
  }

  /** The last line; null while there is none. */
  head(): Head | null {
    return this.#store.head();
  }

  /** @param rationaleSalt null without a rationale */
  posted(row: CallRow, author: Author): void {
    const { ref, name } = this.#named(author);
    const { rationale, rationaleSalt: salt } = row;
    const reason = rationale === null || salt === null ? null : sha256(committedText(salt, rationale));
    this.#append([postedDeed(row, { submitter: ref, name, rationale: reason })], row.submittedAt);
  }

  /** What the tracker marked. @param before what was on disk */
  marked(call: string, before: Marks, after: Marks): void {
    this.#append(marksBetween(call, before, after));
  }

  /** What became of a call, and what was marked with it. @param before as it was on disk */
  changed(before: CallRow, after: CallRow, by: DecidedBy): void {
    const { publicId } = before;
    this.#append([
      ...marksBetween(publicId, toState(before), toState(after)),
      ...turnsBetween(publicId, before, after, by),
    ]);
  }

  /** What an administrator put right. @param salt what the reason is hashed with */
  corrected(
    before: CallRow,
    after: CallRow,
    { changes, reason, salt }: { changes: readonly MarkChange[]; reason: string; salt: string },
  ): void {
    const committed = { changes, reason: sha256(committedText(salt, reason)) };
    this.#append(correctedDeeds(before.publicId, committed, before, after));
  }

  /** The submitter's account goes: with it, what opens the name. */
  left(userId: number): void {
    const known = this.#store.person(userId);
    // Of who never posted anything there is nothing to say.
    if (!known && !this.#store.hasCalls(userId)) return;
    this.#append([{ kind: 'deleted', submitter: known?.ref ?? this.app.randomToken() }]);
  }

  /** These calls were made without the ledger: one line says how many they are, and how they stand. */
  imported(rows: Iterable<CallRow>, from: ImportedFrom): void {
    const hasher = new Bun.CryptoHasher('sha256');
    let count = 0;
    for (const row of rows) {
      hasher.update(`${importedText(row, toState(row), row)}\n`);
      count += 1;
    }
    if (count > 0) this.#append([{ kind: 'imported', calls: count, state: hasher.digest('hex'), from }]);
  }

  /** Imports what was there before the ledger, and tells of names that are others now; to be called at the start. */
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

  /** Who stands behind a call, under the name of now. */
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

  /** @param time epoch ms @throws Error outside of a transaction: a kill could part the line from its deed */
  #append(deeds: readonly Deed[], time = this.app.clock.now()): void {
    if (deeds.length === 0) return;
    if (!this.#store.isInTransaction()) throw new Error('A line is written in the transaction of its deed.');
    let { number, hash } = this.head() ?? { number: 0, hash: NO_HASH };
    for (const deed of deeds) {
      number += 1;
      const line = lineText(number, time, deed, hash);
      hash = sha256(line);
      this.#store.insert(number, line, hash);
    }
  }
}
