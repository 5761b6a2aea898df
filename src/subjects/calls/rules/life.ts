import type { Wire } from '#lib/contract/fields.ts';
import type { callPath, callReview, lifeAnswer, stopPath } from '../answers/life.ts';

/** This many bars of a call's path are drawn and kept. */
export const MAX_PATH_BARS = 500;

// What leaves the server, as the contract has it.
export type CallLife = Wire<typeof lifeAnswer>;
export type CallPath = Wire<typeof callPath>;
export type StopPath = Wire<typeof stopPath>;
export type CallReview = Wire<typeof callReview>;

export const NO_PATH = {
  otherSource: 'It was made on another price source than the current one, so its prices can’t be drawn.',
  unknown: 'Prices from that time are no longer kept.',
  notYet: 'There was no trade since it was posted.',
  brokenClock: 'The market’s clock was set back while the call ran, so it has no single price path.',
} as const;
