import { describe, expect, test } from 'bun:test';
import { closeText, summariseCall } from '../../../../src/subjects/calls/rules/callSummary.ts';
import type { CallInput } from '../../../../src/subjects/calls/rules/types.ts';

const BHP: CallInput = {
  symbol: 'bhp ',
  callType: 'bought',
  entryPrice: 55.24,
  targetPrice: 55.241,
  stopLossType: 'HARD',
  stopLoss: 55.239,
};
const line = (change: Partial<CallInput>): string | undefined =>
  summariseCall({ ...BHP, ...change })
    ?.map(({ text }) => text)
    .join(', ');
const marked = (change: Partial<CallInput>): (boolean | undefined)[] => {
  const parts = summariseCall({ ...BHP, ...change });
  return [parts?.[1]?.isClose, parts?.[2]?.isClose];
};

test('says the whole in words, with percents and price steps', () => {
  expect(line({})).toBe(
    'Buy BHP at 55.24, target 55.241 (+0.002 %, less than one price step), ' +
      'stop 55.239 (−0.002 %, less than one price step), already filled',
  );
  expect(line({ callType: 'buy', targetPrice: 60, stopLoss: 55.23 })).toBe(
    'Buy BHP at 55.24, target 60 (+8.6 %, 476 price steps), stop 55.23 (−0.018 %, one price step), not filled yet',
  );
});

test('each type of stop has its words', () => {
  const stop = (change: Partial<CallInput>) => summariseCall({ ...BHP, ...change })?.[2]?.text;
  expect(stop({ stopLossType: 'NONE', stopLoss: null })).toBe('no stop');
  expect(stop({ stopLoss: null })).toBe('stop not given yet');
  expect(stop({ stopLossType: 'TRAILING_ABS', stopLoss: 0.24 })).toBe(
    'stop trailing 0.24 below the high, 55 at first (−0.43 %, 24 price steps)',
  );
  expect(stop({ stopLossType: 'TRAILING_PCT', stopLoss: 5, entryPrice: 100 })).toBe(
    'stop trailing 5 % below the high, 95 at first (−5.0 %, 500 price steps)',
  );
  expect(stop({ stopLossType: 'TRAILING_PCT', stopLoss: 100 })).toBe('stop 100');
});

test('nothing is said before symbol, entry and target are known', () => {
  for (const change of [{ symbol: ' ' }, { entryPrice: null }, { targetPrice: null }, { entryPrice: 0 }]) {
    expect(summariseCall({ ...BHP, ...change })).toBeNull();
  }
});

describe('a level within two price steps is marked', () => {
  test('by the steps of the exchange, on both sides of a band', () => {
    expect(marked({})).toEqual([true, true]);
    expect(marked({ targetPrice: 55.26, stopLoss: 55.21 })).toEqual([true, false]);
    expect(marked({ targetPrice: 55.261, stopLoss: 55.22 })).toEqual([false, true]);
    // Two cents are two steps at two dollars, and four below.
    expect(marked({ entryPrice: 2, targetPrice: 2.02, stopLoss: 1.98 })).toEqual([true, false]);
    expect(marked({ entryPrice: 2, targetPrice: 2.03, stopLoss: 1.99 })).toEqual([false, true]);
    expect(marked({ entryPrice: 0.05, targetPrice: 0.053, stopLoss: 0.048 })).toEqual([false, true]);
  });

  test('a trailing one where it stands at first', () => {
    expect(marked({ stopLossType: 'TRAILING_ABS', stopLoss: 0.02 })[1]).toBe(true);
    expect(marked({ stopLossType: 'TRAILING_ABS', stopLoss: 0.03 })[1]).toBe(false);
  });

  test('in words', () => {
    const text = (change: Partial<CallInput>) => closeText(summariseCall({ ...BHP, ...change }) ?? []);
    expect(text({})).toBe('Target and stop are within two price steps of the entry.');
    expect(text({ targetPrice: 60 })).toBe('Stop is within two price steps of the entry.');
    expect(text({ stopLossType: 'NONE', stopLoss: null })).toBe(
      'Target is within two price steps of the entry.',
    );
    expect(text({ targetPrice: 60, stopLoss: 50 })).toBeNull();
  });
});
