import { describe, expect, test } from 'bun:test';
import { fromSydney } from '../../src/market/rules/sydneyTime.ts';
import { createLog, type LogLine } from '../../src/lib/log.ts';
import { type MarketObserver, ObservedMarket } from '../../src/market/observed.ts';

function setUp() {
  const lines: LogLine[] = [];
  const market = new ObservedMarket(
    { clock: { now: () => fromSydney('2026-11-19', 11, 0) } },
    createLog((line) => lines.push(line)),
  );
  return { market, lines };
}

const quiet: MarketObserver = { name: 'quiet', applied() {}, removed() {}, beforeFlush() {} };

describe('an observer of the market', () => {
  test('that fails costs neither the prices nor the other observers, and one line in the log', () => {
    const { market, lines } = setUp();
    let isBroken = true;
    let reached = 0;
    const breakDown = (): void => {
      if (isBroken) throw new Error('broken observer');
    };
    market.observe({ name: 'broken', applied: breakDown, removed: breakDown, beforeFlush: breakDown });
    market.observe({ ...quiet, beforeFlush: () => void (reached += 1) });
    for (const last of [1, 2, 3]) {
      expect(market.apply([{ code: 'AAA', last }]).applied).toBe(1);
      expect(market.flush()?.upsert['AAA']?.last).toBe(last);
    }
    market.remove(['AAA']);
    expect(market.flush()?.delete).toEqual(['AAA']);
    expect(reached).toBe(4);
    expect(lines.map(({ level, properties }) => [level, properties['observer']])).toEqual([
      ['error', 'broken'],
    ]);

    isBroken = false;
    market.flush();
    isBroken = true;
    market.flush();
    expect(lines).toHaveLength(2);
  });
});
