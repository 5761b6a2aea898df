import type { FlowEvent } from './auctionFlow.ts';
import type { Book } from './book.ts';

/**
 * The orders of one auction in the order of their arrival, packed: before the open those of the whole market wait at once,
 * 116,000, and as objects they took 7 MB where these take 3.
 * Three numbers an order: second of the day, price in steps (negative on the sell side), shares.
 */
export type OrderFlow = Readonly<Float64Array>;

const WIDTH = 3;

/** @param events in the order of their arrival; a step is at least 1 */
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

/** When an order comes in, in seconds of the day; infinite after the last one. */
export const arrivalOf = (flow: OrderFlow, index: number): number =>
  flow[index * WIDTH] ?? Number.POSITIVE_INFINITY;

/** How many orders there are. */
export const countOrders = (flow: OrderFlow): number => flow.length / WIDTH;

/** Enters one order into a book. RangeError when there are not this many. */
export function enterOrder(flow: OrderFlow, index: number, book: Book): void {
  const step = flow[index * WIDTH + 1];
  const volume = flow[index * WIDTH + 2];
  if (step === undefined || volume === undefined) throw new RangeError(`There is no order ${index}.`);
  book.add(step > 0, Math.abs(step), volume);
}
