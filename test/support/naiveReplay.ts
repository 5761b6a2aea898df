import type { PriceUpdate, TrackedCall, TrackState } from '#subjects/calls/rules/tracker.ts';

type Point = { time: number; price: number };

/** Every traded price of a path, one after the other: open, high, low, last of each step. */
export const pointsOf = (path: readonly PriceUpdate[]): Point[] =>
  path.flatMap((reading) =>
    [reading.open, reading.high, reading.low, reading.last]
      .filter((price) => price !== undefined)
      .map((price) => ({ time: reading.time, price })),
  );

type Mirror = (price: number) => number;

const PRICES = [
  'entryPrice',
  'priceAtSubmission',
  'fillPrice',
  'entryTradePrice',
  'highest',
  'best',
  'worst',
  'targetPrice',
  'stopPrice',
  'stopLevel',
];

/** A call or its state with other prices. */
export const withPrices = <T extends object>(of: T, mirror: Mirror): T =>
  Object.fromEntries(
    Object.entries(of).map(([name, value]) => [
      name,
      PRICES.includes(name) && typeof value === 'number' ? mirror(value) : value,
    ]),
  ) as T;

/** A call on the other side, whose prices are mirrored. */
export const otherSide = (call: TrackedCall, mirror: Mirror): TrackedCall => ({
  ...withPrices(call, mirror),
  isShort: !call.isShort,
  stopLoss: call.stopLossType === 'HARD' && call.stopLoss !== null ? mirror(call.stopLoss) : call.stopLoss,
});

/** A mirrored path: its highs are lows. */
export const mirroredPath = (path: readonly PriceUpdate[], mirror: Mirror): PriceUpdate[] =>
  path.map(({ time, high, low, ...rest }) => ({
    time,
    ...Object.fromEntries(Object.entries(rest).map(([name, price]) => [name, mirror(price)])),
    ...(low === undefined ? {} : { high: mirror(low) }),
    ...(high === undefined ? {} : { low: mirror(high) }),
  }));

/**
 * The result of a call from its whole path, by definition and without a running state: slow, and written independently of the tracker that
 * it checks. A short call is a long one at negative prices.
 */
export function naiveReplay(call: TrackedCall, path: readonly PriceUpdate[]): TrackState {
  const negative: Mirror = (price) => 0 - price;
  return call.isShort
    ? withPrices(replayed(otherSide(call, negative), mirroredPath(path, negative), -1), negative)
    : replayed(call, path, 1);
}

/** @param sign −1 if the prices are negative */
function replayed(call: TrackedCall, path: readonly PriceUpdate[], sign: 1 | -1): TrackState {
  const round = (value: number): number => (sign * Math.round(sign * value * 1e6)) / 1e6;
  const points = pointsOf(path);
  const isBought = call.callType === 'bought';
  const fillIndex = isBought ? 0 : points.findIndex((point) => point.price < call.entryPrice);
  const fill = points[fillIndex];
  const none: TrackState = {
    filledAt: null,
    fillPrice: null,
    entryTradeAt: null,
    entryTradePrice: null,
    highest: null,
    best: null,
    worst: null,
    targetAt: null,
    targetPrice: null,
    stopAt: null,
    stopPrice: null,
    stopLevel: null,
  };
  if (!isBought && fill === undefined) return none;
  const filled = fillIndex < 0 ? [] : points.slice(fillIndex);
  const seenBefore = isBought && call.priceAtSubmission !== null ? [call.priceAtSubmission] : [];
  const claimed = isBought ? [call.entryPrice, ...seenBefore] : [];
  const highestUpTo = (index: number): number =>
    Math.max(...claimed, ...filled.slice(0, index + 1).map((point) => point.price));
  const levelAt = (index: number): number | null => {
    if (call.stopLossType === 'NONE' || call.stopLoss === null) return null;
    if (call.stopLossType === 'HARD') return call.stopLoss;
    if (call.stopLossType === 'TRAILING_ABS') return round(highestUpTo(index) - call.stopLoss);
    return round(highestUpTo(index) * (1 - (sign * call.stopLoss) / 100));
  };
  // Within a step the open comes first; without an open any price may be first, and the highest is used.
  const firstReading = path.find((reading) => pointsOf([reading]).length > 0);
  const firstPrice =
    firstReading && (firstReading.open ?? Math.max(...pointsOf([firstReading]).map((point) => point.price)));
  const stopIndex = filled.findIndex(
    (point, index) => point.price <= (levelAt(index) ?? Number.NEGATIVE_INFINITY),
  );
  const stop = filled[stopIndex];
  // The stop ends it: later trades do not count.
  const after = stop === undefined ? filled : filled.slice(0, stopIndex + 1);
  const target = after.find((point) => point.price >= call.targetPrice);
  const seen = [...seenBefore, ...after.map((point) => point.price)];
  return {
    filledAt: isBought ? call.submittedAt : (fill?.time ?? null),
    fillPrice: isBought ? call.entryPrice : (fill?.price ?? null),
    entryTradeAt: (isBought ? firstReading?.time : fill?.time) ?? null,
    entryTradePrice: (isBought ? firstPrice : fill?.price) ?? null,
    highest: Math.max(...claimed, ...after.map((point) => point.price)),
    best: seen.length === 0 ? null : Math.max(...seen),
    worst: seen.length === 0 ? null : Math.min(...seen),
    targetAt: target?.time ?? null,
    targetPrice: target?.price ?? null,
    stopAt: stop?.time ?? null,
    stopPrice: stop?.price ?? null,
    stopLevel: stop === undefined ? null : levelAt(stopIndex),
  };
}
