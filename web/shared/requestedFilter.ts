import type { Breadth } from '../../src/market/rules/breadth.ts';
import type { Securities } from '../../src/market/rules/securities.ts';

/** Which stocks somebody wants to see in the custom scanner, and nothing else that narrows it. */
export type RequestedFilter = {
  side?: Breadth;
  sector?: string;
  /** Undefined for shares and funds. */
  securities: Securities | undefined;
  /** By a column id. */
  sort?: { id: string; desc: boolean } | undefined;
};

let requested: RequestedFilter | null = null;

/** Has the custom scanner begin with these stocks when it is opened next. */
export function requestFilter(filter: RequestedFilter): void {
  requested = filter;
}

/** What was asked for; null when nothing was. Once taken it is gone. */
export function takeRequestedFilter(): RequestedFilter | null {
  const taken = requested;
  requested = null;
  return taken;
}
