import type { Db } from '#platform/db/open.ts';
import type { Log } from '#lib/log.ts';
import type { AuctionPoint } from './rules/auction.ts';
import { isRecord } from '#lib/json.ts';
import type { AuctionTrade, DayEvents, StatusChange } from './dayEvents.ts';
import { Segments } from '../segments.ts';

/** What was new at a write, by code. */
type AuctionSegment = {
  /** When it was written, epoch ms on the market's clock. */
  at: number;
  points: ReadonlyMap<string, readonly AuctionPoint[]>;
  /** All that is known of a day's events, for the stocks that had a new one. */
  events: ReadonlyMap<string, DayEvents>;
};

type Row = readonly (number | null)[];

/** A segment as JSON: a change is [ms since the one before, price, volume, surplus]. */
function plainAuctions({ at, points, events }: AuctionSegment) {
  const packed: Record<string, Row[]> = {};
  for (const [code, list] of points) {
    let before = 0;
    packed[code] = list.map(({ time, price, volume, surplus }) => {
      const row = [time - before, price, volume, surplus];
      before = time;
      return row;
    });
  }
  return { at, points: packed, events: Object.fromEntries(events) };
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isFigure = (value: unknown): value is number | null => value === null || isTime(value);
const isRow = (value: unknown): value is [number, ...(number | null)[]] =>
  Array.isArray(value) && value.length === 4 && isTime(value[0]) && value.every(isFigure);

function pointsOf(rows: readonly [number, ...(number | null)[]][]): AuctionPoint[] {
  let time = 0;
  return rows.map(([since, price = null, volume = null, surplus = null]) => {
    time += since;
    return { time, price, volume, surplus };
  });
}

const isStatus = (value: unknown): value is StatusChange =>
  isRecord(value) && isTime(value['time']) && typeof value['status'] === 'string';

const isTrade = (value: unknown): value is AuctionTrade =>
  isRecord(value) &&
  isTime(value['time']) &&
  (value['kind'] === 'open' || value['kind'] === 'close') &&
  isTime(value['price']) &&
  isFigure(value['volume']);

function eventsOf(value: unknown): DayEvents | null {
  if (!isRecord(value)) return null;
  const { statuses, auctions, volumeBefore } = value;
  if (!Array.isArray(statuses) || !statuses.every(isStatus)) return null;
  if (!Array.isArray(auctions) || !auctions.every(isTrade) || !isFigure(volumeBefore)) return null;
  return { statuses, auctions, volumeBefore };
}

/** The inverse of `plainAuctions`; null for what is no segment. */
function readAuctions(plain: unknown): AuctionSegment | null {
  if (!isRecord(plain) || !isTime(plain['at'])) return null;
  const { points, events } = plain;
  if (!isRecord(points) || !isRecord(events)) return null;
  const allPoints = new Map<string, AuctionPoint[]>();
  const allEvents = new Map<string, DayEvents>();
  for (const [code, rows] of Object.entries(points)) {
    if (!Array.isArray(rows) || !rows.every(isRow)) return null;
    allPoints.set(code, pointsOf(rows));
  }
  for (const [code, value] of Object.entries(events)) {
    const known = eventsOf(value);
    if (!known) return null;
    allEvents.set(code, known);
  }
  return { at: plain['at'], points: allPoints, events: allEvents };
}

/** The auctions and events of sessions in the database. */
export const savedAuctions = (db: Db, source: string, log: Log): Segments<AuctionSegment> =>
  new Segments(db, source, 'auctions', log, { read: readAuctions, plain: plainAuctions });
