import type { OpenStreams } from './types.ts';

export const NO_STREAMS: OpenStreams = { pages: 0, alertPages: 0, addresses: {}, alertAddresses: {} };

/** An address with fewer streams is not told of. @param perAddress how many one may have */
export const leastTold = (perAddress: number): number => Math.max(1, Math.ceil(perAddress / 10));

/** Streams of the market that several processes have open: of an address as far as they tell of it, null for all. */
export const marketStreams = (all: readonly OpenStreams[], address: string | null): number =>
  all.reduce((sum, { pages, addresses }) => sum + (address === null ? pages : (addresses[address] ?? 0)), 0);

/** The same of streams of alerts. */
export const alertStreams = (all: readonly OpenStreams[], address: string | null): number =>
  all.reduce(
    (sum, { alertPages, alertAddresses }) =>
      sum + (address === null ? alertPages : (alertAddresses[address] ?? 0)),
    0,
  );
