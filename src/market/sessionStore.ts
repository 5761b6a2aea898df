import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Db } from '../db/open.ts';
import type { StockUpdate } from '../domain/market/stock.ts';
import { isRecord } from '../lib/json.ts';

/** The last session of one source in the database. */
export type SessionStore = {
  /**
   * The updates that list the stocks as the session of that date ended; null when that one is not kept.
   * @param date Sydney date, YYYY-MM-DD
   * @throws SyntaxError or Error when the row is unreadable
   */
  read(date: string): StockUpdate[] | null;
  /** Puts a session in the place of the one that was kept. */
  save(date: string, stocks: readonly StockUpdate[]): void;
};

const isUpdate = (value: unknown): value is StockUpdate =>
  isRecord(value) && typeof value['code'] === 'string';

function unpack(bytes: Uint8Array): StockUpdate[] {
  const stocks: unknown = JSON.parse(inflateRawSync(bytes).toString('utf8'));
  if (!Array.isArray(stocks) || !stocks.every(isUpdate)) throw new Error('The row holds no list of stocks.');
  return stocks;
}

/** @param source its name; sessions of other sources are neither read nor changed */
export function sessionStore(db: Db, source: string): SessionStore {
  const read = db.$client.query<{ stocks: Uint8Array }, [string, string]>(
    'SELECT stocks FROM last_sessions WHERE source = ? AND date = ?',
  );
  const write = db.$client.query(
    'INSERT INTO last_sessions (source, date, stocks) VALUES (?, ?, ?) ' +
      'ON CONFLICT (source) DO UPDATE SET date = excluded.date, stocks = excluded.stocks',
  );
  return {
    read(date) {
      const row = read.get(source, date);
      return row ? unpack(row.stocks) : null;
    },
    save: (date, stocks) =>
      void write.run(source, date, deflateRawSync(JSON.stringify(stocks), { level: 1 })),
  };
}
