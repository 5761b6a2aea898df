import type { Operator } from '../../conditions/rules/condition.ts';

/** One side of a condition, before and after: `before` only for a crossing. */
export type SeenSide = { text: string; value: number | null; before?: number | null };

/** What a condition saw when it was evaluated. */
export type SeenCondition = {
  left: SeenSide;
  op: Operator;
  right: SeenSide;
  /** Null: it could not be evaluated. */
  holds: boolean | null;
};

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
};
