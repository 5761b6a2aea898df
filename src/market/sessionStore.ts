import type { Db } from '../platform/db/open.ts';
import type { StockUpdate } from './rules/stock.ts';
import { isRecord } from '../lib/json.ts';
import { zlib } from '../lib/zlib.ts';

/** A session as it ended: its Sydney date, YYYY-MM-DD, and the updates that list its stocks. */
export type KeptSession = { date: string; stocks: readonly StockUpdate[] };

/** The last session of one source in the database. */
export type SessionStore = {
  /**
   * The session that is kept; null when none is.
   * @throws SyntaxError or Error when the row is unreadable
   */
  read(): KeptSession | null;
  /** Puts a session in the place of the one that was kept. */
  save(session: KeptSession): void;
};

const isUpdate = (value: unknown): value is StockUpdate =>
  isRecord(value) && typeof value['code'] === 'string';

function unpack(bytes: Uint8Array): StockUpdate[] {
  const stocks: unknown = JSON.parse(zlib().inflateRawSync(bytes).toString('utf8'));
  if (!Array.isArray(stocks) || !stocks.every(isUpdate)) throw new Error('The row holds no list of stocks.');
  return stocks;
}

/** @param source its name; sessions of other sources are neither read nor changed */
export function sessionStore(db: Db, source: string): SessionStore {
  const read = db.$client.query<{ date: string; stocks: Uint8Array }, [string]>(
    'SELECT date, stocks FROM last_sessions WHERE source = ?',
  );
  const write = db.$client.query(
    'INSERT INTO last_sessions (source, date, stocks) VALUES (?, ?, ?) ' +
      'ON CONFLICT (source) DO UPDATE SET date = excluded.date, stocks = excluded.stocks',
  );
  return {
    read() {
      const row = read.get(source);
      return row && { date: row.date, stocks: unpack(row.stocks) };
    },
    save: ({ date, stocks }) =>
      void write.run(source, date, zlib().deflateRawSync(JSON.stringify(stocks), { level: 1 })),
  };
}
