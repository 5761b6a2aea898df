import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { checkAtOnce, type Asked } from '../../../../src/subjects/calls/web/ledger/verify/checkAtOnce.ts';
import { createChecker } from '../../../../src/subjects/calls/web/ledger/verify/checker.ts';
import { createHex } from '../../../../src/subjects/calls/web/ledger/verify/hex.ts';
import { headRow, lineRow } from '../../../../src/subjects/calls/rules/ledger/rows.ts';
import { sha256 } from '../../../../src/subjects/calls/server/ledger/ledger.ts';
import { madeLedger } from '../../../support/ledgerStage.ts';

const ROWS = madeLedger(40);
const bytes = () => new TextEncoder().encode(headRow(null) + ROWS.map(lineRow).join(''));
const HASHES = ROWS.map(({ hash }) => hash).join('');

/** What the page makes of a worker: one that answers, or one that fails. */
class FakeWorker {
  static opened: FakeWorker[] = [];
  static answers = true;
  isTerminated = false;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  constructor(readonly script: string) {
    FakeWorker.opened.push(this);
  }
  postMessage(asked: Asked): void {
    queueMicrotask(() => {
      if (FakeWorker.answers) this.onmessage?.({ data: checkAtOnce(asked, createHex()) });
      else this.onerror?.({ message: 'It is broken.' });
    });
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

const before = globalThis.Worker;
const { signal } = new AbortController();

beforeEach(() => {
  FakeWorker.opened = [];
  FakeWorker.answers = true;
  globalThis.Worker = FakeWorker as never;
  document.documentElement.dataset.ledgerWorker = '/assets/ledgerWorker.js';
});
afterEach(() => {
  globalThis.Worker = before;
  delete document.documentElement.dataset.ledgerWorker;
});

describe('lines are gone through', () => {
  test('in the worker that the page names, which is ended with the checker', async () => {
    const checker = createChecker();
    const checked = await checker.check({ rows: bytes(), from: null }, signal);
    expect(checked).toEqual({ hashes: HASHES, opened: 0, fault: null });
    expect(FakeWorker.opened.map(({ script }) => script)).toEqual(['/assets/ledgerWorker.js']);
    checker.close();
    expect(FakeWorker.opened[0]?.isTerminated).toBe(true);
  });

  test('in the page from when on the worker fails: what it took along is to be fetched again', async () => {
    const warn = spyOn(console, 'warn').mockImplementation(() => {});
    FakeWorker.answers = false;
    const checker = createChecker();
    expect(await checker.check({ rows: bytes(), from: null }, signal)).toBeNull();
    expect(await checker.check({ rows: ROWS, from: null }, signal)).toMatchObject({ hashes: HASHES });
    expect(FakeWorker.opened).toHaveLength(1);
    expect(FakeWorker.opened[0]?.isTerminated).toBe(true);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test('in the page where there is no worker, with the same end', async () => {
    delete document.documentElement.dataset.ledgerWorker;
    const checker = createChecker();
    const from = { number: 20, hash: ROWS[19]?.hash ?? '' };
    const broken = ROWS.slice(20).with(3, { line: '{}', hash: sha256('{}'), openings: [] });
    const checked = await checker.check({ rows: broken, from }, signal);
    expect(checked).toMatchObject({ fault: { number: 24, of: 'number' } });
    expect(checked).toEqual(checkAtOnce({ rows: broken, from }, sha256));
    expect(FakeWorker.opened).toEqual([]);
  });

  test('no more once they were stopped', async () => {
    const stop = new AbortController();
    const checking = createChecker().check({ rows: bytes(), from: null }, stop.signal);
    stop.abort();
    const ended = await checking.catch((reason: unknown) => reason);
    expect(ended).toBe(stop.signal.reason);
  });
});
