import type { Db } from '../../platform/db/open.ts';
import type { Log } from '../../lib/log.ts';
import { type AuctionSegment, packAuctions, unpackAuctions } from './segments.ts';

/** The auctions and events of a session in the database, in packed segments. Dates are those of Sydney, YYYY-MM-DD. */
export type SavedAuctions = {
  /** The segments of a session, oldest first; an unreadable one is logged and left out. */
  load(date: string): Iterable<AuctionSegment>;
  append(date: string, segment: AuctionSegment): void;
  /** Drops the segments of sessions before a date. @returns how many */
  prune(date: string): number;
};

/** @param source its name; what is of other sources is neither read nor changed */
export function savedAuctions(db: Db, source: string, log: Log): SavedAuctions {
  const list = db.$client.query<{ id: number }, [string, string]>(
    'SELECT id FROM auction_segments WHERE source = ? AND date = ? ORDER BY id',
  );
  const read = db.$client.query<{ changes: Uint8Array }, [number]>(
    'SELECT changes FROM auction_segments WHERE id = ?',
  );
  const append = db.$client.query('INSERT INTO auction_segments (source, date, changes) VALUES (?, ?, ?)');
  const drop = db.$client.query('DELETE FROM auction_segments WHERE source = ? AND date < ?');
  return {
    *load(date) {
      for (const { id } of list.all(source, date)) {
        const row = read.get(id);
        const segment = row ? unpackAuctions(row.changes) : null;
        if (segment) yield segment;
        else log.warn('Saved auctions are unreadable and were left out', { id });
      }
    },
    append: (date, segment) => void append.run(source, date, packAuctions(segment)),
    prune: (date) => drop.run(source, date).changes,
  };
}
