import type { Db } from '../platform/db/open.ts';
import type { Log } from '../lib/log.ts';
import { packJson, unpackJsonOrNull } from '../lib/pack.ts';

const KINDS = {
  minutes: 'minute bars',
  auctions: 'auctions',
  stocks: 'stocks of the session',
  ended: 'stocks of the last session',
  preOpen: 'pre-open snapshots',
} as const;

const LAST_DATE = '9999-12-31';

export class Segments<T> {
  private readonly list;
  private readonly row;
  private readonly insert;
  private readonly drop;

  /** @param read parses a row's JSON; null if it is invalid @param plain converts a segment for writing */
  constructor(
    { $client }: Db,
    private readonly source: string,
    private readonly kind: keyof typeof KINDS,
    private readonly log: Log,
    private readonly form: { read(json: unknown): T | null; plain(segment: T): unknown },
  ) {
    this.list = $client.query<{ id: number }, [string, string, string, string]>(
      'SELECT id FROM segments WHERE kind = ? AND source = ? AND date BETWEEN ? AND ? ORDER BY id',
    );
    this.row = $client.query<{ packed: Uint8Array | string }, [number]>(
      'SELECT packed FROM segments WHERE id = ?',
    );
    this.insert = $client.query('INSERT INTO segments (kind, source, date, packed) VALUES (?, ?, ?, ?)');
    this.drop = $client.query('DELETE FROM segments WHERE kind = ? AND source = ? AND date < ?');
  }

  *load(from: string, until: string = LAST_DATE): Generator<T> {
    for (const { id } of this.list.all(this.kind, this.source, from, until)) {
      const row = this.row.get(id);
      const segment = row ? this.form.read(unpackJsonOrNull(row.packed)) : null;
      if (segment === null) this.log.warn(`Skipped unreadable saved ${KINDS[this.kind]}`, { id });
      else yield segment;
    }
  }

  append(date: string, segment: T): void {
    this.insert.run(this.kind, this.source, date, packJson(this.form.plain(segment)));
  }

  prune(date: string): number {
    return this.drop.run(this.kind, this.source, date).changes;
  }
}
