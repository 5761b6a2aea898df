import { expect, test } from 'bun:test';
import { ageText, sourceName, staleNotice } from '../../../web/live/staleness.ts';
import { aMeta } from '../../support/market.ts';

const feed = aMeta().feed;
const well = { label: 'Intraday', feed, ageMs: 1000, connection: 'live' } as const;

test.each([
  ['fresh prices', well, null],
  ['prices just below a minute old', { ...well, ageMs: 59_999 }, null],
  ['nothing known yet', { ...well, feed: null, ageMs: null }, null],
  [
    'old prices of a server that does not name its source',
    { ...well, feed: null, ageMs: 125_000 },
    'Prices are 2 min old. The source has sent nothing since.',
  ],
  ['old prices off hours', { ...well, label: 'Off-Hours', ageMs: 9_000_000 }, null],
  [
    'a lost connection off hours',
    { ...well, label: 'Off-Hours', ageMs: 9_000_000, connection: 'disconnected' },
    null,
  ],
  ['a connection just lost', { ...well, connection: 'reconnecting' }, null],
  [
    'old prices in market hours',
    { ...well, ageMs: 60_000 },
    'Prices from the simulated exchange are 1 min old. The source has sent nothing since.',
  ],
  [
    'old prices before the open',
    { ...well, label: 'Pre-Open', ageMs: 125_000 },
    'Prices from the simulated exchange are 2 min old. The source has sent nothing since.',
  ],
  [
    'a source that never sent anything',
    { ...well, ageMs: null },
    'Prices from the simulated exchange have not come in yet. The source has sent nothing since.',
  ],
  [
    'a lost connection',
    { ...well, ageMs: 61_000, connection: 'disconnected' },
    'Connection lost: prices frozen 1 min ago. Reconnecting…',
  ],
  [
    'a source that says why it is unwell',
    {
      ...well,
      feed: {
        ...feed,
        name: 'tradingview',
        healthy: false,
        problem: 'TradingView refuses requests; trying again in 1 min.',
      },
    },
    'Prices from TradingView are less than a minute old. TradingView refuses requests; trying again in 1 min.',
  ],
  [
    'a bridge whose newest quote is two hours old',
    {
      ...well,
      feed: { ...feed, name: 'ingest', delayMinutes: 120, healthy: false, problem: 'Check its own feed.' },
    },
    'Prices from the broker bridge are 2 h 00 min old. Check its own feed.',
  ],
  [
    'a source that serves and lacks something',
    { ...well, feed: { ...feed, problem: 'TradingView is sending no sectors for any stock.' } },
    'TradingView is sending no sectors for any stock.',
  ],
  [
    'a source that is unwell off hours',
    { ...well, label: 'Off-Hours', feed: { ...feed, healthy: false } },
    'Prices from the simulated exchange are less than a minute old. The source reports a problem.',
  ],
] as const)('%s', (_, freshness, sentence) => {
  expect(staleNotice(freshness)).toBe(sentence);
});

test.each([
  [0, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [3_900_000, '1 h 05 min'],
])('%d ms reads %s', (ms, text) => {
  expect(ageText(ms)).toBe(text);
});

test('a source without a name of its own in sentences goes by the one it has', () => {
  expect(sourceName('ingest')).toBe('the broker bridge');
  expect(sourceName('elsewhere')).toBe('elsewhere');
});
