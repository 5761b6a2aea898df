import { expect, test } from 'bun:test';
import type { OverviewRequest } from '#subjects/marketOverview/rules/aggregator.ts';
import { createOverviews } from '#subjects/marketOverview/rules/overviews.ts';
import type { ToWindow } from '#web/live/stream/protocol.ts';
import { type LoadOverviews, SharedStream } from '#web/live/stream/sharedStream.ts';
import { fakeSources, fakeTimers } from '#support/fakeEventSource.ts';
import { aDelta, aSnapshot, aStock } from '#support/market.ts';

const ASK: OverviewRequest = { securities: undefined, byMatchPrice: false, ranges: null, part: 'map' };
const UP = { last: 2, close: 1, volume: 5 };

function setUp(load: LoadOverviews = () => createOverviews) {
  const sources = fakeSources();
  const stream = new SharedStream({ ...fakeTimers(), openSource: sources.open, random: () => 1 }, load);
  const join = () => {
    const got: ToWindow[] = [];
    const toStream = stream.join((message) => got.push(message));
    const figures = () => got.flatMap((message) => (message.type === 'overview' ? [message.figures] : []));
    const ask = async (wanted: OverviewRequest | null = ASK) => {
      toStream({ type: 'overview', ask: wanted, script: '/assets/overview.js' });
      await new Promise((done) => setTimeout(done));
    };
    return { tell: toStream, ask, figures, last: () => figures().at(-1) };
  };
  const start = () => {
    sources.last().open();
    sources.last().send('snapshot', {
      ...aSnapshot(['BHP', 'CBA']),
      stocks: { BHP: aStock('BHP', UP), CBA: aStock('CBA') },
    });
  };
  return { join, start, send: (name: string, data: unknown) => sources.last().send(name, data) };
}

test('only a subscribed window gets the market overview, at first and with each change', async () => {
  const { join, start, send } = setUp();
  const [asking, other] = [join(), join()];
  start();
  await asking.ask();
  expect(asking.last()?.totals).toMatchObject({ stocks: 2, advancers: 1 });
  send('delta_update', aDelta({ CBA: UP }, { stockCount: 2 }));
  expect(asking.last()?.totals).toMatchObject({ advancers: 2 });
  send('delta_update', aDelta({}, { stockCount: 1 }, ['BHP']));
  expect(asking.last()?.totals).toMatchObject({ stocks: 1, advancers: 1 });
  send('snapshot', aSnapshot(['NEW']));
  expect(asking.last()?.totals).toMatchObject({ stocks: 1, traded: 0 });
  expect(other.figures()).toEqual([]);
});

test('a window that returns after a while gets everything', () => {
  const there = new Set<unknown>();
  const overviews = createOverviews((window) => there.has(window));
  const figures: (number | undefined)[] = [];
  const window = (message: { figures: { totals: { stocks: number } } | null }) =>
    figures.push(message.figures?.totals.stocks);
  const stocks = new Map([['BHP', aStock('BHP')]]);
  const market = { stocks, meta: { stockCount: 3 } };
  overviews.take(window, ASK, market);
  const delta = (code: string) => ({
    type: 'delta',
    delta: { stocks: { upsert: { [code]: {} }, delete: [] } },
  });
  stocks.set('CBA', aStock('CBA'));
  overviews.hear(delta('CBA'), market);
  expect(figures).toEqual([1]);
  there.add(window);
  stocks.set('NAB', aStock('NAB'));
  overviews.hear(delta('NAB'), market);
  expect(figures).toEqual([1, 3]);
});
