import { describe, expect, test } from 'bun:test';
import {
  followedPosition,
  positionSize,
  type SizedPosition,
  sizeFigures,
  type SizeLimits,
  sizeLine,
} from '#subjects/calls/rules/positionSize.ts';

const POSITION: SizedPosition = {
  isShort: false,
  entryPrice: 10,
  targetPrice: 12,
  stopLossType: 'HARD',
  stopLoss: 9,
};
const LIMITS: SizeLimits = { risk: 500, maxValue: null, fees: null };
const sizeOf = (position: Partial<SizedPosition> = {}, limits: Partial<SizeLimits> = {}) => {
  const size = positionSize({ ...POSITION, ...position }, { ...LIMITS, ...limits });
  if (!size.ok) throw new Error(size.error.message);
  return size.value;
};
const refusal = (position: Partial<SizedPosition>, limits: Partial<SizeLimits> = {}) => {
  const size = positionSize({ ...POSITION, ...position }, { ...LIMITS, ...limits });
  return size.ok ? null : size.error.message;
};

describe('the size of a position', () => {
  test('is the risk divided by the distance to the stop, in whole shares', () => {
    expect(sizeOf()).toEqual({
      shares: 500,
      cost: 5000,
      loss: 500,
      gain: 1000,
      rewardRisk: 2,
      isCapped: false,
    });
    expect(sizeOf({ stopLoss: 9.7 }, { risk: 100 }).shares).toBe(333);
    expect(sizeOf({ targetPrice: null })).toMatchObject({ gain: null, rewardRisk: null });
  });

  test('is not affected by binary fractions', () => {
    // 0.3 − 0.2 is 0.09999999999999998, and 1 divided by it would be 10.000000000000002.
    expect(sizeOf({ entryPrice: 0.3, stopLoss: 0.2, targetPrice: null }, { risk: 1 }).shares).toBe(10);
    // 1.1 − 1 is 0.10000000000000009, which fits only twice into 0.3.
    expect(sizeOf({ entryPrice: 1.1, stopLoss: 1, targetPrice: null }, { risk: 0.1 + 0.2 }).shares).toBe(3);
    expect(sizeOf({ entryPrice: 0.003, stopLoss: 0.002, targetPrice: 0.004 }, { risk: 0.07 })).toEqual({
      shares: 70,
      cost: 0.21,
      loss: 0.07,
      gain: 0.07,
      rewardRisk: 1,
      isCapped: false,
    });
  });

  test('loses no more than the risk, and one more share would', () => {
    for (let step = 1; step <= 400; step += 1) {
      const entryPrice = (step * 37) / 1000 + 0.5;
      const stopLoss = Math.round((entryPrice - ((step % 7) + 1) / 1000) * 1000) / 1000;
      const risk = (step * 13) / 100 + 12;
      const { shares } = sizeOf({ entryPrice, stopLoss, targetPrice: null }, { risk, fees: 9.95 });
      const thousandths = Math.round((entryPrice - stopLoss) * 1000);
      const left = Math.round((risk - 9.95) * 1000);
      expect([shares * thousandths <= left, (shares + 1) * thousandths > left]).toEqual([true, true]);
    }
  });

  test('never exceeds the maximum value, and shows if that is the limit', () => {
    expect(sizeOf({}, { maxValue: 1234 })).toMatchObject({
      shares: 123,
      cost: 1230,
      loss: 123,
      isCapped: true,
    });
    expect(sizeOf({}, { maxValue: 5000 })).toMatchObject({ shares: 500, isCapped: false });
  });

  test('includes the fees in the risk and the loss, and subtracts them from the gain', () => {
    expect(sizeOf({}, { fees: 20 })).toEqual({
      shares: 480,
      cost: 4800,
      loss: 500,
      gain: 940,
      rewardRisk: 1.88,
      isCapped: false,
    });
    expect(sizeOf({ targetPrice: 10.001 }, { fees: 20 }).gain).toBe(-19.52);
  });
});

test.each<[Partial<SizedPosition>, Partial<SizeLimits>, string]>([
  [{ stopLoss: 10.01 }, {}, 'The stop must be below the entry.'],
  [{ stopLoss: 10 }, {}, 'The stop must differ from the entry.'],
  [{ stopLoss: 0 }, {}, 'The stop must be more than 0.'],
  [{ stopLoss: null }, {}, 'Enter a stop.'],
  [{ stopLossType: 'NONE' }, {}, 'Add a stop: without one the loss is unlimited.'],
  [{ stopLossType: 'TRAILING_ABS', stopLoss: 10.5 }, {}, 'A trailing stop can’t be wider than the entry.'],
  [{ entryPrice: null }, {}, 'Enter an entry price.'],
  [{ entryPrice: 0 }, {}, 'The entry price must be more than 0.'],
  [{ targetPrice: 10 }, {}, 'The target must be above the entry.'],
  [{}, { risk: null }, 'Enter the most you can lose, in dollars.'],
  [{}, { risk: 0 }, 'The risk must be more than $0.'],
  [{}, { risk: 0.99 }, 'The risk is less than the loss on one share at the stop: $1.00.'],
  [
    {},
    { risk: 20.5, fees: 20 },
    'The risk after fees is less than the loss on one share at the stop: $1.00.',
  ],
  [{}, { fees: 500 }, 'The fees use up the whole risk.'],
  [{}, { fees: -1 }, 'Fees can’t be less than $0.'],
  [{}, { fees: Number.NaN }, 'The fees are not a number.'],
  [{}, { maxValue: Number.NaN }, 'The maximum value is not a number.'],
  [{}, { maxValue: 0 }, 'The maximum value must be more than $0.'],
  [{}, { maxValue: 9.99 }, 'The maximum value is less than the price of one share: $10.00.'],
])('%p with %p has no size: %s', (position, limits, message) => {
  expect(refusal(position, limits)).toBe(message);
});

test('a size is shown in figures and in a line', () => {
  expect(sizeFigures(sizeOf({}, { fees: 20 }), true)).toEqual([
    ['Shares', '480'],
    ['Value', '$4,800.00'],
    ['Loss at the stop, with fees', '$500.00'],
    ['Gain at the target, with fees', '$940.00'],
    ['Reward/risk', '1.88'],
  ]);
  expect(sizeFigures(sizeOf({ targetPrice: null }), false).map(([name]) => name)).toEqual([
    'Shares',
    'Value',
    'Loss at the stop',
  ]);
  expect(sizeFigures(sizeOf({ targetPrice: 10.001 }, { fees: 20 }), true).at(3)?.[1]).toBe('−$19.52');
  expect(sizeLine(sizeOf({}, { maxValue: 10 }))).toBe('1 share, value $10.00, loss $1.00');
});

test('a short position is sized by its distance up to the stop', () => {
  const short = { isShort: true, targetPrice: 8, stopLoss: 11 };
  expect(sizeOf(short)).toEqual(sizeOf());
  expect(sizeOf({ ...short, stopLossType: 'TRAILING_PCT', stopLoss: 10 }).shares).toBe(500);
  expect(refusal({ ...short, stopLoss: 9 })).toBe('The stop must be above the entry.');
  expect(refusal({ ...short, targetPrice: 12 })).toBe('The target must be below the entry.');
});

test('a followed call is sized at the last price, with its stop where it is now', () => {
  const call = {
    status: 'open' as const,
    isShort: false,
    entryPrice: 10,
    targetPrice: 12,
    stopLossType: 'TRAILING_PCT' as const,
    stopLoss: 5,
    stopLevel: 10.45,
  };
  const hard = { stopLossType: 'HARD' as const, stopLoss: 10.45 };
  expect(followedPosition(call, 11)).toEqual({ isShort: false, entryPrice: 11, targetPrice: 12, ...hard });
  expect(followedPosition(call, null)).toMatchObject({ entryPrice: 10 });
  const waiting = { ...call, status: 'pending' as const, stopLevel: null };
  expect(followedPosition(waiting, 11)).toMatchObject({
    entryPrice: 10,
    stopLossType: 'TRAILING_PCT',
    stopLoss: 5,
  });
});
