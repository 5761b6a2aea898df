import { describe, expect, test } from 'bun:test';
import {
  positionSize,
  type SizedPosition,
  type SizeLimits,
} from '../../../../src/subjects/calls/rules/positionSize.ts';
import { sizeFigures, sizeLine } from '../../../../src/subjects/calls/rules/positionSizeText.ts';

const POSITION: SizedPosition = { entryPrice: 10, targetPrice: 12, stopLossType: 'HARD', stopLoss: 9 };
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
  test('is the risk over the distance to the stop, in whole shares', () => {
    expect(sizeOf()).toEqual({
      ...{ shares: 500, cost: 5000, loss: 500, gain: 1000, rewardRisk: 2 },
      isCapped: false,
    });
    expect(sizeOf({ stopLoss: 9.7 }, { risk: 100 }).shares).toBe(333);
    expect(sizeOf({ targetPrice: null })).toMatchObject({ gain: null, rewardRisk: null });
  });

  test('has no surprises of binary fractions', () => {
    // 0.3 − 0.2 is 0.09999999999999998, and 1 over it would be 10.000000000000002.
    expect(sizeOf({ entryPrice: 0.3, stopLoss: 0.2, targetPrice: null }, { risk: 1 }).shares).toBe(10);
    // 1.1 − 1 is 0.10000000000000009, of which 0.3 would hold two.
    expect(sizeOf({ entryPrice: 1.1, stopLoss: 1, targetPrice: null }, { risk: 0.1 + 0.2 }).shares).toBe(3);
    expect(sizeOf({ entryPrice: 0.003, stopLoss: 0.002, targetPrice: 0.004 }, { risk: 0.07 })).toEqual({
      ...{ shares: 70, cost: 0.21, loss: 0.07, gain: 0.07, rewardRisk: 1 },
      isCapped: false,
    });
  });

  test('loses no more than the risk, and with one share more would', () => {
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

  test('is never worth more than the maximum value, and says when that decides', () => {
    expect(sizeOf({}, { maxValue: 1234 })).toMatchObject({
      shares: 123,
      cost: 1230,
      loss: 123,
      isCapped: true,
    });
    expect(sizeOf({}, { maxValue: 5000 })).toMatchObject({ shares: 500, isCapped: false });
  });

  test('counts the fees in the risk, in the loss and off the gain', () => {
    expect(sizeOf({}, { fees: 20 })).toEqual({
      ...{ shares: 480, cost: 4800, loss: 500, gain: 940, rewardRisk: 1.88 },
      isCapped: false,
    });
    expect(sizeOf({ targetPrice: 10.001 }, { fees: 20 }).gain).toBe(-19.52);
  });

  test('counts a trailing stop by its distance at the entry', () => {
    expect(sizeOf({ stopLossType: 'TRAILING_ABS', stopLoss: 0.25 })).toMatchObject({
      shares: 2000,
      loss: 500,
    });
    expect(sizeOf({ stopLossType: 'TRAILING_PCT', stopLoss: 5 })).toMatchObject({ shares: 1000, loss: 500 });
    expect(
      sizeOf(
        { entryPrice: 3.33, targetPrice: null, stopLossType: 'TRAILING_PCT', stopLoss: 3 },
        { risk: 9.99 },
      ),
    ).toMatchObject({ shares: 100, loss: 9.99 });
  });
});

describe('there is no size, in one sentence,', () => {
  test('of a stop that is on the wrong side, at the entry, missing or too wide', () => {
    expect(refusal({ stopLoss: 10.01 })).toBe('The stop must be below the entry.');
    expect(refusal({ stopLoss: 10 })).toBe('The stop must differ from the entry.');
    expect(refusal({ stopLoss: 0 })).toBe('The stop must be more than 0.');
    expect(refusal({ stopLoss: null })).toBe('A size needs a stop.');
    expect(refusal({ stopLossType: 'NONE', stopLoss: null })).toBe(
      'A size needs a stop: without one the loss has no end.',
    );
    expect(refusal({ stopLossType: 'TRAILING_ABS', stopLoss: 10.5 })).toBe(
      'A trailing stop can’t be wider than the entry.',
    );
  });

  test('of prices that are missing or the wrong way round', () => {
    expect(refusal({ entryPrice: null })).toBe('A size needs an entry price.');
    expect(refusal({ entryPrice: 0 })).toBe('The entry price must be more than 0.');
    expect(refusal({ targetPrice: 10 })).toBe('The target must be above the entry.');
  });

  test('of limits that leave no share', () => {
    expect(refusal({}, { risk: null })).toBe('Type how many dollars may be lost.');
    expect(refusal({}, { risk: 0 })).toBe('The risk must be more than $0.');
    expect(refusal({}, { risk: -5 })).toBe('The risk must be more than $0.');
    expect(refusal({}, { risk: 0.99 })).toBe(
      'The risk is smaller than what one share loses at the stop: $1.00.',
    );
    expect(refusal({}, { risk: 20.5, fees: 20 })).toBe(
      'The risk is smaller than what one share loses at the stop beside the fees: $1.00.',
    );
    expect(refusal({}, { fees: 500 })).toBe('The fees alone take the whole risk.');
    expect(refusal({}, { fees: -1 })).toBe('Fees can’t be less than $0.');
    expect(refusal({}, { maxValue: Number.NaN })).toBe('The maximum value is not a number.');
    expect(refusal({}, { fees: Number.NaN })).toBe('The fees are not a number.');
    expect(refusal({}, { maxValue: 0 })).toBe('The maximum value must be more than $0.');
    expect(refusal({}, { maxValue: 9.99 })).toBe(
      'The maximum value is smaller than the price of one share: $10.00.',
    );
  });
});

test('a size is told in figures, and in a line', () => {
  expect(sizeFigures(sizeOf({}, { fees: 20 }), true)).toEqual([
    ['Shares', '480'],
    ['Cost', '$4,800.00'],
    ['Loss at the stop, with fees', '$500.00'],
    ['Gain at the target, with fees', '$940.00'],
    ['Reward/risk', '1.88'],
  ]);
  expect(sizeFigures(sizeOf({ targetPrice: null }), false).map(([name]) => name)).toEqual([
    'Shares',
    'Cost',
    'Loss at the stop',
  ]);
  expect(sizeFigures(sizeOf({ targetPrice: 10.001 }, { fees: 20 }), true).at(3)?.[1]).toBe('−$19.52');
  expect(sizeLine(sizeOf({}, { maxValue: 10 }))).toBe('1 share, cost $10.00, loss $1.00');
});
