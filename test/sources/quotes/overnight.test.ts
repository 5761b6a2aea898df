import { expect, test } from 'bun:test';
import { fromSydney } from '#lib/sydneyTime.ts';
import { simulatedOvernight } from '#sources/quotes/simulator/overnight.ts';
import { createOvernight, readOvernight } from '#sources/quotes/tradingview/overnight.ts';
import type { HttpRequest } from '#lib/httpClient/client.ts';
import { createFakeClock } from '#support/testApp.ts';
import { createLog, type LogLine } from '#lib/log.ts';

const answer = (...data: { s: string; d: unknown[] }[]): string =>
  JSON.stringify({ totalCount: data.length, data });

test('an answer gives only markets with a price and a change', () => {
  const text = answer(
    { s: 'SP:SPX', d: [6250.5, 0.42] },
    { s: 'TVC:GOLD', d: [3350, null] },
    { s: 'TVC:UKOIL', d: [0, 0] },
    { s: 'ASX:XJO', d: [] },
    { s: 'FX_IDC:AUDUSD', d: [null, -0.1] },
    { s: 'NYSE:BHP', d: [50, 1] },
  );
  expect(readOvernight(text, 1)).toEqual([{ id: 'spx', last: 6250.5, change: 0.42, time: 1 }]);
  expect(readOvernight('{"error":"no"}', 1)).toBeNull();
});

test('figures are loaded on use, at most every five minutes, and dropped when they are old', async () => {
  const clock = createFakeClock();
  const lines: LogLine[] = [];
  const asked: string[] = [];
  let body: string | null = answer({ s: 'SP:SPX', d: [6250.5, 0.42] });
  const text = async ({ url }: HttpRequest) => {
    asked.push(url);
    return body === null
      ? { kind: 'httpError' as const, status: 503, text: '', retryAfterMs: null }
      : { kind: 'ok' as const, status: 200, body };
  };
  const http = { text } as unknown as Parameters<typeof createOvernight>[0]['http'];
  const log = createLog((line) => lines.push(line));
  const overnight = createOvernight({ url: 'https://tv.test/', cookie: null, wall: clock, log, http });
  const ask = async (minutes: number): Promise<number> => {
    clock.advance(minutes * 60_000);
    overnight.figures();
    await Bun.sleep(0);
    return overnight.figures().length;
  };
  expect(asked).toEqual([]);
  expect(await ask(0)).toBe(1);
  expect(await ask(4)).toBe(1);
  expect(asked).toEqual(['https://tv.test/global/scan']);
  body = null;
  expect(await ask(2)).toBe(1);
  expect(await ask(6)).toBe(1);
  expect(lines.map(({ message }) => message)).toEqual([
    'Figures of other markets are missing: TradingView answered HTTP 503',
  ]);
  expect(await ask(120)).toBe(0);
  overnight.stop();
  expect(await ask(10)).toBe(0);
  expect(asked).toHaveLength(4);
});

test('simulated figures repeat with the seed, differ between days, and are complete', () => {
  const at = (date: string, seed = 1) => simulatedOvernight(seed, fromSydney(date, 9, 0));
  const changes = (date: string, seed?: number) => at(date, seed).map(({ change }) => change);
  expect(at('2026-11-18')).toHaveLength(7);
  expect(changes('2026-11-18')).toEqual(changes('2026-11-18'));
  expect(changes('2026-11-18')).not.toEqual(changes('2026-11-19'));
  expect(changes('2026-11-18')).not.toEqual(changes('2026-11-18', 2));
});
