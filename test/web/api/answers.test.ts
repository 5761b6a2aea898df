import { describe, expect, test } from 'bun:test';
import { readerOf, readRefusal } from '#web/api/client.ts';
import { readLogic, readRef } from '#subjects/conditions/answers/logic.ts';
import { readSettingsChange } from '#web/shared/settings.ts';
import { savedColumnsAnswer } from '#subjects/settings/answers/settings.ts';
import { leaderboardAnswer } from '#subjects/calls/answers/board.ts';

const readBoard = readerOf(leaderboardAnswer);
const readSavedColumns = readerOf(savedColumnsAnswer);

test('missing members of a call are null, and a call without its id is dropped', () => {
  const { calls, leaderboard, fetchedAt } = readBoard({ calls: [{ publicId: 'x' }, {}], leaderboard: [{}] });
  expect(fetchedAt).toBeNull();
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({ symbol: '–', status: null, entryPrice: null, submittedAt: null });
  expect(leaderboard[0]?.submitter).toEqual({ display: '–' });
  expect(leaderboard[0]?.metrics.total).toBeNull();
});

test('saved columns that are missing from the answer are not read as an empty list', () => {
  expect(readSavedColumns({}).columnPreferences).toBeNull();
  expect(readSavedColumns({ columnPreferences: {} }).columnPreferences).toEqual({});
});

test.each([
  [{ success: true, error: null }, null],
  [{ success: true }, null],
  [{}, null],
  [null, null],
  [{ error: 'It is closed already.' }, 'It is closed already.'],
  [{ success: false, message: 'No.' }, 'No.'],
  [{ success: false, error: '' }, 'Failed'],
  [{ success: 'false' }, 'Failed'],
])('the answer %j is rejected with %p', (body, sentence) => {
  expect(readRefusal(body, 'Failed')?.message ?? null).toBe(sentence);
});

test.each([
  [{ success: false, error: 'Too low.', field: 'pocketedValue' }, 'pocketedValue'],
  [{ success: false, error: 'Too low.', field: '' }, null],
  [{ success: false, error: 'Too low.', field: {} }, null],
  [{ success: false, error: 'Too low.' }, null],
])('the error %j names the field %p', (body, field) => {
  expect(readRefusal(body, 'Failed')).toEqual({ field, message: 'Too low.' });
});

test('messages from another window are not trusted', () => {
  expect(readSettingsChange({ quoteSite: 'ASX', username: 'x' })).toEqual({ quoteSite: 'asx' });
  expect(readSettingsChange({ columnPreferences: { custom: 'x' } })).toEqual({ columnPreferences: {} });
  expect(readSettingsChange('changed')).toEqual({});
});

describe('conditions', () => {
  const last = { type: 'field', key: 'last' };
  const above = (rhs: unknown, op: unknown = '>') => ({ op: 'AND', conditions: [{ lhs: last, op, rhs }] });
  const inGroup = (...members: unknown[]) => ({ op: 'AND', conditions: [{ op: 'OR', conditions: members }] });
  test('groups and sectors are read', () => {
    const sector = {
      lhs: { type: 'field', key: 'sector' },
      op: '==',
      rhs: { type: 'text', values: ['Energy', 'Materials'] },
    };
    const logic = inGroup(sector, { lhs: last, op: '>', rhs: { type: 'number', value: 1 } });
    expect(readLogic(logic) as unknown).toEqual(logic);
  });
  test.each([
    [12, { type: 'number', value: 12 }],
    [
      { type: 'number', value: '12.5' },
      { type: 'number', value: 12.5 },
    ],
    ['open', { type: 'field', key: 'open' }],
    [
      { type: 'field', field: 'open' },
      { type: 'field', key: 'open' },
    ],
    [
      { type: 'htf', period: '3M', field: 'high' },
      { type: 'htf', period: '3M', field: 'high' },
    ],
    [
      { type: 'indicator', family: 'rsi', params: { a: 1, b: {} }, tf: 60, key: 'rsi_1', valueKey: 1 },
      { type: 'indicator', family: 'rsi', params: { a: 1 }, tf: '60', key: 'rsi_1', valueKey: '1' },
    ],
  ])('the side %j is read', (given, operand) => {
    expect(readLogic(above(given))?.conditions[0] as unknown).toEqual({ lhs: last, op: '>', rhs: operand });
  });
  test.each([
    ['an unknown side', above({ type: 'news' })],
    ['a missing side', above(undefined)],
    ['an unknown comparison', above(1, 'between')],
    ['an unknown way to join them', { ...above(1), op: 'OR' }],
    ['a number on the left', { op: 'AND', conditions: [{ lhs: 1, op: '>', rhs: 2 }] }],
    ['no list', { op: 'AND' }],
    ['a group in a group', inGroup({ op: 'OR', conditions: above(1).conditions })],
    ['a group with an unreadable condition', inGroup({ lhs: last, op: '>', rhs: {} })],
    ['a group without conditions', { op: 'AND', conditions: [{ op: 'OR', conditions: [] }] }],
    ['a sector compared as more', above({ type: 'text', values: ['Energy'] })],
  ])('a scan with %s is not read in part', (_, logic) => {
    expect(readLogic(logic)).toBeNull();
  });
  test('an incomplete reference is dropped', () => {
    expect(readRef({ type: 'indicator', family: 'rsi', tf: '60' })).toBeNull();
    expect(readRef({ type: 'htf', period: '5M', field: 'high' })).toBeNull();
  });
});
