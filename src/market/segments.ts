import type { Db } from '../platform/db/open.ts';
import type { Log } from '../lib/log.ts';
import { packJson, unpackJsonOrNull } from '../lib/pack/packedJson.ts';

/** The tables of segments, each with the column of its bytes, and what stands there as the log says it. */
const TABLES = {
  minute_segments: { column: 'bars', what: 'minute bars' },
  auction_segments: { column: 'changes', what: 'auctions' },
  session_segments: { column: 'stocks', what: 'stocks of the session' },
} as const;

const LAST_DATE = '9999-12-31';

/**
 * What one source told in a session, saved by appending: a row each time something is new, as deflated JSON. Dates are those
 * of Sydney, YYYY-MM-DD. Rows of other sources are neither read nor changed.
 */
export class Segments<T> {
  private readonly list;
  private readonly row;
  private readonly insert;
  private readonly drop;
  private readonly unreadable: string;

  /**
   * @param read what a row's JSON says; null for what is no segment
   * @param plain what is written of a segment
   */
  constructor(
    { $client }: Db,
    private readonly source: string,
    table: keyof typeof TABLES,
    private readonly log: Log,
    private readonly form: { read(json: unknown): T | null; plain(segment: T): unknown },
  ) {
    const { column, what } = TABLES[table];
    this.list = $client.query<{ id: number }, [string, string, string]>(
      `SELECT id FROM ${table} WHERE source = ? AND date BETWEEN ? AND ? ORDER BY id`,
    );
    this.row = $client.query<{ bytes: Uint8Array }, [number]>(
      `SELECT ${column} AS bytes FROM ${table} WHERE id = ?`,
    );
    this.insert = $client.query(`INSERT INTO ${table} (source, date, ${column}) VALUES (?, ?, ?)`);
    this.drop = $client.query(`DELETE FROM ${table} WHERE source = ? AND date < ?`);
    this.unreadable = `Saved ${what} are unreadable and were left out`;
  }

  /** The segments of some dates, oldest first, read one at a time; an unreadable one is logged and left out. */
  *load(from: string, until: string = LAST_DATE): Generator<T> {
    for (const { id } of this.list.all(this.source, from, until)) {
      const row = this.row.get(id);
      const segment = row ? this.form.read(unpackJsonOrNull(row.bytes)) : null;
      if (segment === null) this.log.warn(this.unreadable, { id });
      else yield segment;
    }
  }

  append(date: string, segment: T): void {
    this.insert.run(this.source, date, packJson(this.form.plain(segment)));
  }

  /** Drops the segments before a date. @returns how many */
  prune(date: string): number {
    return this.drop.run(this.source, date).changes;
  }
}
