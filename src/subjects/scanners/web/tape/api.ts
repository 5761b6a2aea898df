import { changesAnswer, daysAnswer, tapeAnswer } from '#subjects/scanners/answers/tape.ts';
import type { TapeTable } from '#market/scanners/rules/tapeTables.ts';
import { readerOf, request } from '#web/api/client.ts';

export const loadDays = () => request('GET /api/data/tape/days', { read: readerOf(daysAnswer) });

/** @param time HH:MM in Sydney */
export const loadTape = (table: TapeTable, date: string, time: string) =>
  request('GET /api/data/tape', { query: { table, date, time }, read: readerOf(tapeAnswer) });

/** Of the last minutes before a moment; without one before now. */
export const loadChanges = (table: TapeTable, moment: { date: string; time: string } | null) =>
  request('GET /api/data/tape/changes', { query: { table, ...moment }, read: readerOf(changesAnswer) });

/** A hand that moves the slider asks only where it rests, ms. */
export const HAND_PAUSE_MS = 120;
