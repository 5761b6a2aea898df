import { isRecord } from '#lib/json.ts';
import { packJson, unpackJsonOrNull } from '#lib/pack.ts';
import { readNumber } from '#lib/read.ts';
import type { Db } from '#platform/db/open.ts';
import { CURVE_POINTS, type SessionCurves, type ValueCurve } from '../rules/valueCurve.ts';

type Row = { curves: Uint8Array };

function readCurve(value: unknown): ValueCurve | null {
  if (!Array.isArray(value) || value.length !== CURVE_POINTS) return null;
  return value.map(readNumber);
}

function readRow({ curves }: Row): SessionCurves | null {
  const value = unpackJsonOrNull(curves);
  if (!isRecord(value)) return null;
  const shares = readCurve(value['shares']);
  const funds = readCurve(value['funds']);
  return shares && funds && { shares, funds };
}

/**
 * The value curves of one source in the database. Dates are those of Sydney, YYYY-MM-DD.
 * @param source its name; curves of other sources are neither read nor changed
 */
export function curveStore({ $client }: Pick<Db, '$client'>, source: string) {
  const one = $client.query<Row, [string, string]>(
    'SELECT curves FROM value_curves WHERE source = ? AND date = ?',
  );
  const before = $client.query<Row, [string, string, number]>(
    'SELECT curves FROM value_curves WHERE source = ? AND date < ? ORDER BY date DESC LIMIT ?',
  );
  const countBefore = $client.query<{ count: number }, [string, string]>(
    'SELECT count(*) AS count FROM value_curves WHERE source = ? AND date < ?',
  );
  const upsert = $client.query(
    'INSERT INTO value_curves (source, date, curves) VALUES (?, ?, ?) ' +
      'ON CONFLICT (source, date) DO UPDATE SET curves = excluded.curves',
  );
  const drop = $client.query('DELETE FROM value_curves WHERE source = ? AND date < ?');
  return {
    /** Those of a session; null where none are kept, or they are unreadable. */
    of(date: string): SessionCurves | null {
      const row = one.get(source, date);
      return row && readRow(row);
    },
    /** Those of the last sessions before a date, the newest first; unreadable ones are left out. */
    before: (date: string, most: number): SessionCurves[] =>
      before.all(source, date, most).flatMap((row) => readRow(row) ?? []),
    /** How many sessions are kept of before a date. */
    count: (date: string): number => countBefore.get(source, date)?.count ?? 0,
    save: (date: string, curves: SessionCurves): void => void upsert.run(source, date, packJson(curves)),
    /** Drops those of before a date. @returns how many */
    prune: (date: string): number => drop.run(source, date).changes,
  };
}

export type CurveStore = ReturnType<typeof curveStore>;
