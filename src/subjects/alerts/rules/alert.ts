import type { Logic } from '../../conditions/rules/condition.ts';
import type { ChatPlatform } from '../../chats/rules/chatPlatform.ts';

/** Where an alert is sent besides the browser. */
export type Destinations = Record<ChatPlatform, boolean>;

/** What a person chooses of an alert. */
export type AlertInput = {
  symbol: string;
  name: string | null;
  active: boolean;
  persistent: boolean;
  logic: Logic;
  destinations: Destinations;
  /** Goes into its message; null for none. */
  note: string | null;
  /** From then on it is off, epoch ms by the market's clock; null for never. */
  expiresAt: number | null;
};

/** An alert as the server keeps it. Times are epoch ms by the wall clock. */
export type Alert = AlertInput & {
  id: number;
  userId: number;
  /** Counts the changes that a person made. */
  version: number;
  lastTriggeredAt: number | null;
  snoozedUntil: number | null;
  /** A sentence saying why it was stopped without its owner; null when it was not. */
  stoppedReason: string | null;
  /** What was true when it was saved or switched on does not fire before then; see `arming.ts`. */
  armedAt: number | null;
};
