import { afterEach, describe, expect, test } from 'bun:test';
import { benchHistory } from '../../../../scripts/bench/support/barHistory.ts';
import type { DemandItem } from '../../../../src/market/indicators/rules/demandItem.ts';
import { indicatorKey } from '../../../../src/market/indicators/rules/indicatorKey.ts';
import type { Timeframe } from '../../../../src/market/indicators/rules/timeframe.ts';
import { familyOf } from '../../../support/bars.ts';
import { createTestApp, type TestApp } from '../../../support/testApp.ts';

let app: TestApp;
afterEach(() => {
  app.parts.values.stop();
  app.close();
});

const close = (tf: Timeframe, delay = 0): DemandItem => ({
  kind: 'indicator',
  choice: { family: 'close', params: {}, tf, delay },
  key: indicatorKey(familyOf('close'), {}),
});

/** The bars of one stock that trades, of a source that can give its past again. */
async function start() {
  app = createTestApp({ source: { history: benchHistory(1) } });
  const { market, values, indicators } = app.parts;
  await values.start();
  const show = (last: number, volume: number, more = {}): void => {
    market.service.apply([{ code: 'BHP', last, volume, open: 6, high: 6.5, low: 5.5, ...more }]);
    market.service.flush();
  };
  show(6, 5000);
  return {
    show,
    clock: app.clock,
    use: (items: DemandItem[]) => indicators.service.demand.set('user:1', items),
    minutes: () => values.inspect().summary.minutes,
    read: () => market.service.get('BHP')?.indicators,
  };
}

describe('minutes of a source that can give its past again', () => {
  test('are given back once the frames are built, and loaded again for a column chosen later', async () => {
    const { show, clock, use, minutes, read } = await start();
    use([close('5'), close('5', 1)]);
    clock.advance(300_000);
    show(6.05, 5100);
    expect(minutes()).toBe(0);
    clock.advance(300_000);
    show(6.1, 5200);
    expect(read()).toEqual({ '5': { close: { now: 6.1, '1': 6.05 } } });

    use([close('5'), close('15')]);
    show(6.02, 5300);
    expect(minutes()).toBe(0);
    expect(read()).toEqual({ '5': { close: { now: 6.02 } }, '15': { close: { now: 6.02 } } });
  });

  test('a quote that is older than the last minute belongs to that one, though it was given back', async () => {
    const { show, clock, use, read } = await start();
    use([close('1'), close('1', 1)]);
    clock.advance(60_000);
    show(6.1, 5100);
    clock.advance(60_000);
    show(6.2, 5200);
    show(6.3, 5300, { quoteTime: clock.now() - 110_000 });
    expect(read()).toEqual({ '1': { close: { now: 6.3, '1': 6.1 } } });
  });
});
