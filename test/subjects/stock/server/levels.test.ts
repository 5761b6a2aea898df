import { expect, spyOn, test } from 'bun:test';
import { MAX_LEVELS, TOO_MANY_LEVELS } from '#subjects/stock/rules/levels.ts';
import { createTestApp } from '#support/testApp.ts';

const PATH = '/api/settings/chart-levels';

test('levels are saved per user and stock on price steps, limited, and adjusted after a split', async () => {
  const app = createTestApp();
  const put = (prices: number[]) => app.request('PUT', PATH, { as: 'free', body: { symbol: 'bhp', prices } });
  const levels = async (as: 'free' | 'premium') => (await app.request('GET', PATH, { as })).json;
  expect((await put([45.501, 45.499, 1.2])).json).toEqual({ symbol: 'BHP', prices: [45.5, 1.2] });
  expect((await put(Array.from({ length: MAX_LEVELS + 1 }, (_, place) => place + 1))).text).toContain(
    TOO_MANY_LEVELS,
  );
  expect((await put([-1])).status).toBe(400);
  expect(await levels('free')).toEqual({ levels: [{ symbol: 'BHP', prices: [45.5, 1.2] }] });
  expect(await levels('premium')).toEqual({ levels: [] });
  const split = { date: '2026-01-20', factor: 0.1, at: app.clock.now() + 1 };
  const splits = spyOn(app.parts.values.service.adjustments, 'of').mockReturnValue([split]);
  expect(await levels('free')).toEqual({ levels: [{ symbol: 'BHP', prices: [4.55, 0.12] }] });
  splits.mockRestore();
  await put([]);
  expect(await levels('free')).toEqual({ levels: [] });
  app.close();
});
