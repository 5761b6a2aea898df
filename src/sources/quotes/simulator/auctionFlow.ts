import { type AuctionResult, type PriceLevel, runAuction } from '#market/rules/auction.ts';
import { priceAtStep } from '#market/rules/priceStep.ts';
import { mix, unit } from './random.ts';

export type Book = {
  /** Adds shares at a price step; negative removes them. An empty level is deleted. */
  add(buy: boolean, step: number, volume: number): void;
  levels(): { bids: PriceLevel[]; asks: PriceLevel[] };
  /** The auction's result now. @param reference last traded price in AUD, null if there is none */
  match(reference: number | null): AuctionResult | null;
};

type Level = PriceLevel & { step: number };

function placeOf(levels: readonly Level[], step: number, buy: boolean): number {
  let low = 0;
  let high = levels.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = levels[middle]?.step ?? 0;
    if (buy ? at > step : at < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function createBook(): Book {
  const bids: Level[] = [];
  const asks: Level[] = [];
  return {
    add(buy, step, volume) {
      const levels = buy ? bids : asks;
      const place = placeOf(levels, step, buy);
      const level = levels[place];
      if (level?.step === step) {
        level.volume += volume;
        if (level.volume <= 0) levels.splice(place, 1);
      } else if (volume > 0) {
        levels.splice(place, 0, { step, price: priceAtStep(step), volume });
      }
    },
    levels: () => ({ bids: bids.map(plain), asks: asks.map(plain) }),
    match: (reference) => runAuction(bids, asks, reference),
  };
}

const plain = ({ price, volume }: Level): PriceLevel => ({ price, volume });

type FlowEvent = { second: number; buy: boolean; step: number; volume: number };

/** The result of an auction, and the span of its orders in seconds of the day. */
type AuctionGoal = {
  reference: number;
  target: number;
  volume: number;
  /** Remaining shares on the buy side; negative on the sell side. */
  surplus: number;
  from: number;
  until: number;
  orders: number;
};

type Add = (buy: boolean, step: number, volume: number, at: number) => void;

/** A higher power moves orders closer to the auction. */
export const ARRIVAL_POWER = 3;

const arrival = (goal: AuctionGoal, at: number): number =>
  goal.from + (goal.until - goal.from) * (1 - 0.999 * (1 - at) ** ARRIVAL_POWER);

/** Splits shares into orders at prices from `near` in one direction, most of them near. */
function spread(
  goal: AuctionGoal,
  seed: number,
  side: { buy: boolean; near: number; direction: 1 | -1; width: number; late: number },
  amount: number,
  parts: number,
  add: Add,
): void {
  let left = amount;
  for (let part = 0; left > 0; part += 1) {
    const isLastPart = part >= parts - 1;
    const share = 0.4 + 1.2 * unit(seed, part * 3);
    const volume = isLastPart ? left : Math.min(left, Math.max(1, Math.round((amount / parts) * share)));
    const away = Math.floor(side.width * unit(seed, part * 3 + 1) ** 2);
    const step = Math.max(1, side.near + side.direction * away);
    const at = unit(seed, part * 3 + 2) ** (1 / side.late);
    add(side.buy, step, volume, arrival(goal, at));
    left -= volume;
  }
}

/** Orders that do not trade: buyers below the target, sellers above it. */
function addResting(goal: AuctionGoal, seed: number, usual: number, add: Add): void {
  const few = Math.max(2, Math.round(goal.orders / 5));
  const width = 9;
  const bids = { buy: true, near: goal.target - 1, direction: -1, width, late: 1 } as const;
  const asks = { buy: false, near: goal.target + 1, direction: 1, width, late: 1 } as const;
  if (goal.target > 1) spread(goal, mix(seed, 1), bids, Math.round(usual * 1.5), few, add);
  spread(goal, mix(seed, 2), asks, Math.round(usual * 1.5), few, add);
}

/**
 * Early orders that are cancelled later, so that the indicative price moves from the reference to the target.
 */
function addPassing(goal: AuctionGoal, seed: number, add: Add): void {
  const pairs = Math.max(1, Math.round(goal.orders / 12));
  for (let pair = 0; pair < pairs; pair += 1) {
    const volume = Math.max(1, Math.round((goal.volume / pairs) * (0.1 + 0.3 * unit(seed, pair * 4))));
    const shift = Math.round((goal.target - goal.reference) * (pair / pairs) * 0.8);
    const step = Math.max(1, goal.reference + shift);
    const entered = arrival(goal, 0.35 * unit(seed, pair * 4 + 1));
    const left = arrival(goal, 0.4 + 0.55 * unit(seed, pair * 4 + 2));
    for (const buy of [true, false]) {
      add(buy, step, volume, entered);
      add(buy, step, -volume, left);
    }
  }
}

function addMatching(goal: AuctionGoal, seed: number, add: Add): void {
  const { target, volume, surplus } = goal;
  // Some volume is bid above the target and offered below it, but less than will trade on either side. So the
  // maximum executable volume is only at the target.
  const keenBuy = Math.floor(volume * (0.25 + 0.45 * unit(seed, 1)));
  const keenSell = target > 1 ? Math.floor(volume * (0.25 + 0.45 * unit(seed, 2))) : 0;
  const gap = Math.abs(target - goal.reference);
  const parts = Math.max(2, Math.round(goal.orders / 6));
  const wide = Math.min(12, 2 + gap);
  const up = {
    buy: true,
    near: target + 1,
    direction: 1,
    width: wide,
    late: goal.target > goal.reference ? 2 : 1,
  } as const;
  const down = {
    buy: false,
    near: target - 1,
    direction: -1,
    width: wide,
    late: goal.target > goal.reference ? 1 : 2,
  } as const;
  spread(goal, mix(seed, 3), up, keenBuy, parts, add);
  spread(goal, mix(seed, 4), down, keenSell, parts, add);
  const buyAt = { buy: true, near: target, direction: 1, width: 0, late: 2 } as const;
  const sellAt = { buy: false, near: target, direction: 1, width: 0, late: 2 } as const;
  spread(goal, mix(seed, 5), buyAt, volume - keenBuy + Math.max(0, surplus), parts, add);
  spread(goal, mix(seed, 6), sellAt, volume - keenSell + Math.max(0, -surplus), parts, add);
}

/**
 * The orders of an auction in order of arrival. Together they give the target price, volume and surplus:
 * fewer shares are bid above the target and fewer offered below.
 * @param usual shares that usually rest on each side
 */
export function auctionFlow(goal: AuctionGoal, usual: number, seed: number): FlowEvent[] {
  const events: FlowEvent[] = [];
  const add: Add = (buy, step, volume, second) => {
    if (volume !== 0) events.push({ second, buy, step, volume });
  };
  addResting(goal, mix(seed, 11), Math.max(2, usual), add);
  if (goal.volume > 0) {
    addPassing(goal, mix(seed, 12), add);
    addMatching(goal, mix(seed, 13), add);
  }
  return events.sort((a, b) => a.second - b.second);
}

/**
 * The orders of an auction in order of arrival, packed: 116,000 wait before the open, and objects take 7 MB
 * instead of 3. Three numbers per order: second of the day, price in steps (negative on the sell side),
 * shares.
 */
export type OrderFlow = Readonly<Float64Array>;

const WIDTH = 3;

export function packOrders(events: readonly FlowEvent[]): OrderFlow {
  const flow = new Float64Array(events.length * WIDTH);
  let at = 0;
  for (const { second, buy, step, volume } of events) {
    flow[at] = second;
    flow[at + 1] = buy ? step : -step;
    flow[at + 2] = volume;
    at += WIDTH;
  }
  return flow;
}

export const arrivalOf = (flow: OrderFlow, index: number): number =>
  flow[index * WIDTH] ?? Number.POSITIVE_INFINITY;

export const countOrders = (flow: OrderFlow): number => flow.length / WIDTH;

export function enterOrder(flow: OrderFlow, index: number, book: Book): void {
  const step = flow[index * WIDTH + 1];
  const volume = flow[index * WIDTH + 2];
  if (step === undefined || volume === undefined) throw new RangeError(`There is no order ${index}.`);
  book.add(step > 0, Math.abs(step), volume);
}
