import { changesAnswer, daysAnswer, tapeAnswer } from '#subjects/scanners/answers/tape.ts';
import type { TapeTable } from '#market/scanners/rules/tapeTables.ts';
import { api, unwrap } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';

export const loadDays = () => unwrap(api.data.tape.days.get(), readerOf(daysAnswer));

/** @param time HH:MM in Sydney */
export const loadTape = (table: TapeTable, date: string, time: string) =>
  unwrap(api.data.tape.get({ query: { table, date, time } }), readerOf(tapeAnswer));

/** Of the last minutes before a moment; without one before now. */
export const loadChanges = (table: TapeTable, moment: { date: string; time: string } | null) =>
  unwrap(api.data.tape.changes.get({ query: { table, ...moment } }), readerOf(changesAnswer));

/** A hand that moves the slider asks only where it rests, ms. */
export const HAND_PAUSE_MS = 120;
