import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Adjustment } from '#market/rules/splitAdjustment.ts';
import type { SpecialDay } from '#market/rules/tradingDay.ts';
import type { AskedOdds } from '../rules/asked.ts';
import type { LeftOut } from '../rules/result.ts';
import type { EntrySort } from '../rules/entryRows.ts';
import type { Since } from './engine/trades.ts';

/** The session history of one source. */
export type HistoryPlace = { folder: string; source: string };

/** Where the daily bars of the source are. */
export type DailyPlace =
  | { kind: 'stored'; path: string; source: string }
  | { kind: 'simulated'; seed: number };

/** What an engine reads. */
export type EngineInput = HistoryPlace & {
  asked: AskedOdds;
  /** Sessions to read, oldest first. */
  dates: readonly string[];
  /** Null if they are only in the server's memory. */
  daily: DailyPlace | null;
  specialDays: readonly SpecialDay[];
  adjustments: readonly (readonly [code: string, adjustments: readonly Adjustment[]])[];
  indicators: Catalog['indicators'];
  /** Names of companies, if a filter compares them. */
  names: readonly (readonly [code: string, name: string])[];
};

export type StoredDay = {
  date: string;
  /** `OddsEntries` as `packJson` returns it. */
  entries: Uint8Array;
  leftOut: Record<LeftOut, number>;
  gapMinutes: number;
};

export type CollectedDay = StoredDay & {
  entryCount: number;
  /** Whether a later session was read, in which its trades may end. */
  isFinal: boolean;
};

/** The work of a worker. It is cloned, so it is plain data. */
export type OddsJob = { id: string } & (
  | { kind: 'run'; input: EngineInput; variants: number }
  | {
      kind: 'collect';
      input: EngineInput;
      /** First session to return, YYYY-MM-DD. Earlier ones are only read to compute values. */
      from: string;
      /** Entries count after this minute of that session. */
      saved: Since;
      /** The session that is left out unless it is complete. */
      current: string;
    }
  | { kind: 'sum'; days: readonly StoredDay[]; notes: readonly string[] }
  | {
      kind: 'sort';
      pages: EntryPages['pages'];
      sort: EntrySort;
      /** Names of companies, if they are sorted by name. */
      names: EngineInput['names'];
    }
  | { kind: 'day'; place: HistoryPlace; date: string; symbol: string }
);

export type JobOf<Kind extends OddsJob['kind']> = Extract<OddsJob, { kind: Kind }>;

/** Entries of a finished run: pages of `PAGE` entries, each packed, newest first or sorted. */
export type EntryPages = { total: number; pages: readonly Uint8Array[] };

export const PAGE = 200;

/**
 * A message of the worker. The last one of a job is not a `state`.
 * - `state`, `done`: `json` is the part of a state that the worker knows, an object.
 * - `answered`: the result of stored days, or the minutes of a day; null if there are none.
 */
export type OddsMessage = { id: string } & (
  | { kind: 'state'; json: string }
  | { kind: 'done'; json: string; entries: EntryPages }
  | { kind: 'sorted'; entries: EntryPages }
  | { kind: 'collected'; days: readonly CollectedDay[] }
  | { kind: 'answered'; json: string | null }
  | { kind: 'failed'; message: string }
);
