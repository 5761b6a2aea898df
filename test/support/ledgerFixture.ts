import type { Database } from 'bun:sqlite';
import { CheckedChain, LedgerCheck } from '#subjects/calls/rules/ledger/check.ts';
import { type LedgerRow, entryText, NO_HASH } from '#subjects/calls/rules/ledger/entry.ts';
import { sha256 } from '#subjects/calls/server/ledger/ledger.ts';
import type { TestApp } from './testApp.ts';

/** An entry as it was read. */
export type EventLine = Readonly<Record<string, unknown>> & { number: number; kind: string; call?: string };

export const parseLine = (line: string): EventLine => JSON.parse(line) as EventLine;

type Stored = { number: number; line: string; hash: string };

export const storedLines = (client: Database): Stored[] =>
  client.query<Stored, []>('SELECT number, line, hash FROM call_ledger ORDER BY number').all();

/** The entries in the database, as published. */
export const eventLines = (client: Database): EventLine[] =>
  storedLines(client).map(({ line }) => parseLine(line));

/** The whole public ledger, page by page. */
export async function ledgerOf(app: TestApp, limit = 50): Promise<LedgerRow[]> {
  const rows: LedgerRow[] = [];
  for (;;) {
    const { json, status, text } = await app.request(
      'GET',
      `/api/calls/ledger?after=${rows.length}&limit=${limit}`,
    );
    if (status !== 200) throw new Error(text);
    const { lines } = json as { lines: LedgerRow[] };
    rows.push(...lines);
    if (lines.length < limit) return rows;
  }
}

/** Verified in batches, as browsers do. */
export function checked(rows: readonly LedgerRow[], chunk = 5): CheckedChain {
  const chain = new CheckedChain();
  for (let start = 0; start < rows.length && chain.fault === null; start += chunk) {
    const check = new LedgerCheck(sha256, chain.head);
    for (const row of rows.slice(start, start + chunk)) if (!check.add(row)) break;
    chain.take(check.result);
  }
  return chain;
}

/** A chain of entries about as long as those of calls. */
export function madeLedger(length: number): LedgerRow[] {
  const rows: LedgerRow[] = [];
  let hash = NO_HASH;
  for (let number = 1; number <= length; number += 1) {
    const call = `call-${(number % 500).toString().padStart(27, '0')}`;
    const event =
      number % 3 === 1
        ? {
            kind: 'posted' as const,
            call,
            symbol: 'BHP',
            source: 'simulator',
            type: 'bought',
            entry: 41.25 + number,
            target: 48.5 + number,
            stopType: 'HARD',
            stop: 39,
            priceThen: 41.2,
            submitter: 's'.repeat(32),
            name: 'a'.repeat(64),
            rationale: number % 2 ? null : 'b'.repeat(64),
          }
        : { kind: 'target' as const, call, at: '2026-11-18T00:00:00.000Z', price: 48.5 + number };
    const line = entryText(number, Date.UTC(2026, 10, 18) + number * 1000, event, hash);
    hash = sha256(line);
    rows.push({ line, hash, openings: [] });
  }
  return rows;
}

/** The members of a call’s row that its entries state too. */
type CallColumns = Record<string, unknown>;

const MARK_COLUMNS: Readonly<Record<string, readonly [at: string, price: string]>> = {
  entered: ['entry_trade_at', 'entry_trade_price'],
  filled: ['filled_at', 'fill_price'],
  target: ['target_reached_at', 'target_reached_price'],
  stop: ['stop_reached_at', 'stop_reached_price'],
  settled: ['exit_trade_at', 'exit_trade_price'],
};

const timeOf = (value: unknown): number | null => (typeof value === 'string' ? Date.parse(value) : null);

/** The state of a call from its entries only; corrections are left out. */
function applyEvent(state: CallColumns, { kind, at, price, ...line }: EventLine): void {
  const columns = MARK_COLUMNS[kind];
  if (columns) {
    state[columns[0]] = timeOf(at);
    state[columns[1]] = price;
  }
  if (kind === 'filled') {
    Object.assign(state, { entry_trade_at: timeOf(at), entry_trade_price: price });
    // If the same prices fill a call and are the trade after its end, the call has ended.
    if (state['status'] === 'pending') state['status'] = 'open';
  }
  if (kind === 'settled') state['verified_percent'] = line['result'];
  if (kind === 'closed' || kind === 'cancelled') {
    const { pocketed, result } = line;
    Object.assign(state, { status: kind, closed_at: timeOf(at), price_at_close: price });
    Object.assign(state, { pocketed_value: pocketed, verified_percent: result });
  }
  if (kind === 'moderated') state['admin_status'] = line['to'];
}

const COLUMNS = [
  'status',
  'admin_status',
  'entry_trade_at',
  'entry_trade_price',
  'filled_at',
  'fill_price',
  'target_reached_at',
  'target_reached_price',
  'stop_reached_at',
  'stop_reached_price',
  'closed_at',
  'price_at_close',
  'pocketed_value',
  'exit_trade_at',
  'exit_trade_price',
  'verified_percent',
] as const;

/**
 * The calls whose rows differ from their entries, with both; empty if every event has its entry and every entry its event. For a ledger without
 * corrections and without earlier calls.
 */
export function unrecordedCalls(client: Database): unknown[] {
  const rows = client
    .query<CallColumns & { public_id: string }, []>(`SELECT public_id, ${COLUMNS.join(', ')} FROM calls`)
    .all();
  const byCall = Map.groupBy(eventLines(client), ({ call }) => call ?? '');
  const strangers = [...byCall.keys()].filter((id) => id !== '' && !rows.some((row) => row.public_id === id));
  const wrong = rows.flatMap(({ public_id: id, ...row }): unknown[] => {
    const [posted, ...more] = byCall.get(id) ?? [];
    if (posted?.kind !== 'posted') return [{ id, row, lines: 'none' }];
    const state: CallColumns = {
      ...Object.fromEntries(COLUMNS.map((name) => [name, null])),
      admin_status: 'normal',
    };
    const isBought = posted['type'] === 'bought';
    state['status'] = isBought ? 'open' : 'pending';
    if (isBought) Object.assign(state, { filled_at: timeOf(posted['time']), fill_price: posted['entry'] });
    for (const line of more) applyEvent(state, line);
    return Bun.deepEquals(state, row) ? [] : [{ id, row, state }];
  });
  return [...wrong, ...strangers];
}
