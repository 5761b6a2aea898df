import { packJson, unpackJsonOrNull } from '#lib/pack.ts';
import type { Db } from '#platform/db/open.ts';
import type { Adjustment, LastTrade } from '../rules/splitAdjustment.ts';

/** The last trades as they are kept: of each stock, and whether nothing was missed since. */
export type KeptTrades = {
  /** Epoch ms by the market's clock. */
  seenUntil: number;
  trades: ReadonlyMap<string, KeptTrade>;
};

/** @property temporary the temporary code under which the stock trades; null while it trades under its own */
export type KeptTrade = { last: LastTrade; isWhole: boolean; temporary: string | null };

type TradeRow = [
  code: string,
  date: string,
  price: number,
  close: number | null,
  isWhole: number,
  temporary: string | null,
];

const isTradeRow = (row: unknown): row is TradeRow =>
  Array.isArray(row) &&
  typeof row[0] === 'string' &&
  typeof row[1] === 'string' &&
  Number.isFinite(row[2]) &&
  (row[3] === null || Number.isFinite(row[3])) &&
  (row[5] === null || typeof row[5] === 'string');

function readTrades(bytes: Uint8Array): KeptTrades['trades'] {
  const rows = unpackJsonOrNull(bytes);
  const known = Array.isArray(rows) ? rows.filter(isTradeRow) : [];
  return new Map(
    known.map(([code, date, price, close, isWhole, temporary]) => [
      code,
      { last: { date, price, close }, isWhole: isWhole === 1, temporary },
    ]),
  );
}

type AdjustmentRow = Adjustment & { code: string };

/** SQL of the adjustments of one source. */
export class AdjustmentStore {
  private readonly list;
  private readonly put;
  private readonly drop;
  private readonly trades;
  private readonly putTrades;

  constructor(
    private readonly db: Db,
    private readonly source: string,
  ) {
    const { $client } = db;
    this.list = $client.query<AdjustmentRow, [string]>(
      'SELECT code, date, factor, at FROM price_adjustments WHERE source = ? ORDER BY date',
    );
    this.put = $client.query(
      'INSERT INTO price_adjustments (source, code, date, factor, at) VALUES (?, ?, ?, ?, ?) ' +
        'ON CONFLICT (source, code, date) DO UPDATE SET factor = excluded.factor, at = excluded.at',
    );
    this.drop = $client.query('DELETE FROM price_adjustments WHERE source = ? AND code = ? AND date = ?');
    this.trades = $client.query<{ seenUntil: number; trades: Uint8Array }, [string]>(
      'SELECT seen_until AS seenUntil, trades FROM last_trades WHERE source = ?',
    );
    this.putTrades = $client.query(
      'INSERT INTO last_trades (source, seen_until, trades) VALUES (?, ?, ?) ' +
        'ON CONFLICT (source) DO UPDATE SET seen_until = excluded.seen_until, trades = excluded.trades',
    );
  }

  /** All or nothing; the callback must not await. */
  inTransaction<T>(work: () => T): T {
    return this.db.transaction(work, { behavior: 'immediate' });
  }

  /** By code, oldest first. */
  adjustments(): Map<string, Adjustment[]> {
    const byCode = new Map<string, Adjustment[]>();
    for (const { code, ...adjustment } of this.list.all(this.source)) {
      const known = byCode.get(code);
      if (known) known.push(adjustment);
      else byCode.set(code, [adjustment]);
    }
    return byCode;
  }

  save(code: string, { date, factor, at }: Adjustment): void {
    this.put.run(this.source, code, date, factor, at);
  }

  remove(code: string, date: string): void {
    this.drop.run(this.source, code, date);
  }

  /** Null when none are kept. */
  lastTrades(): KeptTrades | null {
    const row = this.trades.get(this.source);
    return row && { seenUntil: row.seenUntil, trades: readTrades(row.trades) };
  }

  saveLastTrades({ seenUntil, trades }: KeptTrades): void {
    const rows = [...trades].map(
      ([code, { last, isWhole, temporary }]): TradeRow => [
        ...([code, last.date, last.price, last.close, isWhole ? 1 : 0, temporary] as const),
      ],
    );
    this.putTrades.run(this.source, Math.floor(seenUntil), packJson(rows));
  }
}
