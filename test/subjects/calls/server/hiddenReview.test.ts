import { describe, expect, test } from 'bun:test';
import { callDay } from '../../../../src/admin/channels/rules/dailySummary.ts';
import { sydneyDate } from '../../../../src/market/rules/sydneyTime.ts';
import { lineWords } from '../../../../src/subjects/calls/rules/ledger/words.ts';
import type { CallLife } from '../../../../src/subjects/calls/rules/life.ts';
import { board, list, mine, submit, trade } from '../../../support/callsApp.ts';
import { ledgerOf } from '../../../support/ledgerStage.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

const CLAIM = 9_000_000;

/** A call whose owner claims what nobody could have pocketed; it gained or lost by the recorded prices. */
async function claimed(app: TestApp, last: number): Promise<string> {
  list(app);
  const publicId = await submit(app);
  trade(app, 'BHP', 40);
  trade(app, 'BHP', last);
  const body = { pocketedValue: CLAIM };
  await app.request('POST', `/api/calls/${publicId}/close`, { as: 'free', body });
  trade(app, 'BHP', last);
  return publicId;
}

type As = 'guest' | 'basic' | 'free' | 'admin';
const life = async (app: TestApp, publicId: string, as: As) =>
  ((await app.request('GET', `/api/calls/${publicId}`, { as })).json as CallLife).call;

const HIDDEN = { pocketedValue: null, verified: null, isInReview: true };
const SHOWN = { pocketedValue: CLAIM, verified: { percent: 10 }, isInReview: true };

describe('a gain in review', () => {
  test('is shown to nobody but its owner and administrators', async () => {
    const app = createTestApp();
    const publicId = await claimed(app, 44);
    expect((await board(app)).calls).toMatchObject([HIDDEN]);
    expect((await board(app, 'free')).calls).toMatchObject([HIDDEN]);
    for (const as of ['guest', 'basic'] as const) expect(await life(app, publicId, as)).toMatchObject(HIDDEN);
    for (const as of ['free', 'admin'] as const) expect(await life(app, publicId, as)).toMatchObject(SHOWN);
    expect((await board(app, 'admin')).calls).toMatchObject([SHOWN]);
    expect(await mine(app)).toMatchObject([SHOWN]);
    app.close();
  });

  test('no public answer has the claim as a number, but for the ledger’s own text', async () => {
    const app = createTestApp();
    const publicId = await claimed(app, 44);
    const names = ['leaderboard', publicId, 'by/free'];
    for (const name of names) {
      const { text } = await app.request('GET', `/api/calls/${name}`);
      expect(text).not.toContain(String(CLAIM));
      expect(text).not.toContain('"percent":10');
    }
    app.close();
  });

  test('is in no daily summary, and the summary says why', async () => {
    const app = createTestApp();
    await claimed(app, 44);
    const day = callDay(sydneyDate(app.clock.now()), app.parts.calls.service.since(0), []);
    expect(day.closed).toMatchObject([{ verified: null, isInReview: true }]);
    expect(day.week).toMatchObject({ ended: 0, mean: null });
    app.close();
  });

  test('is in no words of the ledger', async () => {
    const app = createTestApp();
    await claimed(app, 44);
    const texts = (await ledgerOf(app)).map((row, index) => lineWords(row, index + 1).text);
    expect(texts.some((text) => text.startsWith('Pocketed in review'))).toBe(true);
    expect(texts.join(' ')).not.toContain('9,000,000');
    expect(texts.join(' ')).not.toContain('+10.0%');
    app.close();
  });

  test('is shown once an administrator marks the call normal', async () => {
    const app = createTestApp();
    const publicId = await claimed(app, 44);
    const body = { adminStatus: 'normal' };
    await app.request('POST', `/api/admin/calls/${publicId}/admin-status`, { as: 'admin', body });
    const normal = { ...SHOWN, isInReview: false };
    expect((await board(app)).calls).toMatchObject([normal]);
    expect(await life(app, publicId, 'guest')).toMatchObject(normal);
    const texts = (await ledgerOf(app)).map((row, index) => lineWords(row, index + 1).text);
    expect(texts.join(' ')).toContain('Pocketed +$9,000,000');
    app.close();
  });
});

test('a loss in review is shown, without what its owner claims of it', async () => {
  const app = createTestApp();
  const publicId = await claimed(app, 36);
  const lost = { pocketedValue: null, verified: { percent: -10 }, isInReview: true };
  expect((await board(app)).calls).toMatchObject([lost]);
  expect(await life(app, publicId, 'guest')).toMatchObject(lost);
  app.close();
});
