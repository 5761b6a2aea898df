import type { TapeAnswer, TapeChangesAnswer, TapeDaysAnswer } from '../../rules/tape/tape.ts';
import type { TapeTable } from '../../rules/tape/tapeTables.ts';
import { api, unwrap } from '../../../../../web/api/client.ts';
import { readChanges, readDays, readTape } from './readTape.ts';

export const loadDays = (): Promise<TapeDaysAnswer> => unwrap(api.data.tape.days.get(), readDays);

/** @param time HH:MM in Sydney */
export const loadTape = (table: TapeTable, date: string, time: string): Promise<TapeAnswer> =>
  unwrap(api.data.tape.get({ query: { table, date, time } }), (body) => readTape(body, table));

/** Of the last minutes before a moment; without one before now. */
export const loadChanges = (
  table: TapeTable,
  moment: { date: string; time: string } | null,
): Promise<TapeChangesAnswer> =>
  unwrap(api.data.tape.changes.get({ query: { table, ...moment } }), (body) => readChanges(body, table));
