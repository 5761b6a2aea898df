import type { MessagePlatform } from '../../chatClients/rules/chatPlatform.ts';

/** How long a chat or device that takes nothing gets nothing, before the next message tries it again. */
export const RETRY_BROKEN_MS = 3_600_000;

/** What becomes of a message, from the best to the worst. */
export const DELIVERIES = ['sent', 'waiting', 'failed'] as const;
/** What became of the messages of a trigger: the worst of them. */
export type Delivery = (typeof DELIVERIES)[number];

export type SentTo = { platform: MessagePlatform; delivery: Delivery };

/** The worst of what became of a trigger's messages; null where nothing was to be sent. */
export const worstOf = (sent: readonly SentTo[]): Delivery | null =>
  DELIVERIES.findLast((one) => sent.some(({ delivery }) => delivery === one)) ?? null;

export const TRIGGER_KINDS = ['alert', 'scan'] as const;
/** What fired: an alert on a stock, or one on a whole scan. */
export type TriggerKind = (typeof TRIGGER_KINDS)[number];
