import type { Wire } from '#lib/contract/fields.ts';
import type { TriggerGuard } from './eventGuard.ts';
import type { seenCondition, seenSide } from '../answers/seen.ts';

// As the contract has it.
export type SeenSide = Wire<typeof seenSide>;
export type SeenCondition = Wire<typeof seenCondition>;

/** An alert fired. Times are epoch ms. */
export type Trigger = {
  id: number;
  alertId: number;
  userId: number;
  symbol: string;
  /** By the wall clock. */
  triggeredAt: number;
  /** By the market's clock. */
  marketAt: number;
  /** One per condition, groups included, in their order. */
  seen: readonly SeenCondition[];
  /** When the quote was made, by the market's clock; null when that is not known. */
  quoteAt: number | null;
  /** The source's name. */
  source: string;
  delayMinutes: number;
  /** The alert was switched off by this trigger. */
  deactivated: boolean;
  /** It fired while snoozed: nothing was sent. */
  silent: boolean;
  /** What it has to do with an event of the calendar; null for nothing. */
  guard: TriggerGuard | null;
};
