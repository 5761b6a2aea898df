import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { users } from '../../../../src/platform/db/schema.ts';
import { startsAnewAt } from '../../../../src/subjects/model/rules/dailyLimit.ts';
import { AppError } from '../../../../src/platform/http/errors.ts';
import { createTestApp, START, type TestApp } from '../../../support/testApp.ts';

const HOUR = 3_600_000;
const TOKENS = { promptTokens: 1000, completionTokens: 50 };

let app: TestApp;
beforeEach(() => {
  app = createTestApp();
});
afterEach(() => app.close());

const use = () => app.parts.modelUse.service;
const refusal = (work: () => void): AppError | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
};

describe('the limits of a day', () => {
  test.each([
    ['free', 0, 0],
    ['basic', 20, 0],
    ['premium', 200, 50],
    ['admin', 200, 200],
  ] as const)('%s: %d summaries, %d questions', async (role, summaries, questions) => {
    const user = await app.user(role);
    for (const [kind, limit] of [
      ['summary', summaries],
      ['question', questions],
    ] as const) {
      for (let at = 0; at < limit; at += 1) {
        expect(refusal(() => use().admit(user, kind))).toBeNull();
        use().count(user.id, kind, TOKENS);
      }
      expect(refusal(() => use().admit(user, kind))?.status).toBe(429);
    }
  });

  test('what is under way counts, what failed does not, and its tokens do', async () => {
    const user = await app.user('basic');
    use().count(user.id, 'summary', TOKENS, 'failed');
    expect(refusal(() => use().admit(user, 'summary', 19))).toBeNull();
    expect(refusal(() => use().admit(user, 'summary', 20))?.status).toBe(429);
    const row = app.db.select().from(users).where(eq(users.id, user.id)).get();
    expect(row).toMatchObject(TOKENS);
  });

  test('start anew at midnight in Sydney, also when its clocks change', () => {
    expect(new Date(startsAnewAt(START)).toISOString()).toBe('2026-11-18T13:00:00.000Z');
    // The last hour before, and a day of 25 hours.
    expect(startsAnewAt(START + 13 * HOUR - 1)).toBe(START + 13 * HOUR);
    const before = Date.parse('2027-04-03T13:00:00Z');
    expect((startsAnewAt(before) - before) / HOUR).toBe(25);
  });
});
