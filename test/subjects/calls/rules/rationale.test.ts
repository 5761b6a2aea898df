import { describe, expect, test } from 'bun:test';
import {
  checkRationale,
  cleanRationale,
  rationaleLength,
} from '../../../../src/subjects/calls/rules/rationale.ts';
import { BOUGHT, board, list, mine, submit } from '../../../support/callsApp.ts';
import { createTestApp } from '../../../support/testApp.ts';

describe('a rationale', () => {
  test('is one line of plain text', () => {
    expect(cleanRationale('  Copper\r\n\tis  short.\u0000 ')).toBe('Copper is short.');
    expect(cleanRationale('a\u202Eevil\u2066 b\u200B')).toBe('aevil b');
    expect(cleanRationale('👩‍🚀')).toBe('👩‍🚀');
    expect(cleanRationale('\uD800x')).toBe('\uFFFDx');
  });

  test('has at most 280 characters, whatever a character takes', () => {
    expect(rationaleLength('🦜'.repeat(280))).toBe(280);
    expect(checkRationale('🦜'.repeat(280)).ok).toBe(true);
    expect(checkRationale('🦜'.repeat(281))).toEqual({
      ok: false,
      error: { field: 'rationale', message: 'Rationale may have at most 280 characters' },
    });
    expect(checkRationale(`${' '.repeat(400)}why`)).toEqual({ ok: true, value: 'why' });
  });

  test('may be missing or empty, but is never something else', () => {
    for (const sent of [undefined, null, '', ' \n '])
      expect(checkRationale(sent)).toEqual({ ok: true, value: null });
    for (const sent of [1, {}, ['why']]) expect(checkRationale(sent).ok).toBe(false);
  });
});

test('is stored and shown to everybody as it was typed, and hidden with a rejected call', async () => {
  const app = createTestApp();
  list(app);
  const publicId = await submit(app, 'free', { rationale: ' <b>Copper</b> &amp; co ' });
  expect((await board(app)).calls).toMatchObject([{ rationale: '<b>Copper</b> &amp; co' }]);
  expect(await mine(app)).toMatchObject([{ rationale: '<b>Copper</b> &amp; co' }]);
  const body = { adminStatus: 'rejected' };
  await app.request('POST', `/api/admin/calls/${publicId}/admin-status`, { as: 'admin', body });
  expect(JSON.stringify(await board(app))).not.toContain('Copper');
  app.close();
});

test('that is too long is refused by the server, and nothing is stored', async () => {
  const app = createTestApp();
  list(app);
  for (const rationale of ['x'.repeat(281), 7]) {
    const answer = await app.request('POST', '/api/calls', { as: 'free', body: { ...BOUGHT, rationale } });
    expect(answer).toMatchObject({ status: 400, json: { field: 'rationale' } });
  }
  expect(await mine(app)).toEqual([]);
  app.close();
});
