import type { MessagePlatform } from '../../chatClients/rules/chatPlatform.ts';

/** The delay before a broken chat or device is tried again. */
export const RETRY_BROKEN_MS = 3_600_000;

/** Ordered from best to worst. */
export const DELIVERIES = ['sent', 'waiting', 'failed'] as const;
export type Delivery = (typeof DELIVERIES)[number];

export type SentTo = { platform: MessagePlatform; delivery: Delivery };

/** Null if there are no messages. */
export const worstOf = (sent: readonly SentTo[]): Delivery | null =>
  DELIVERIES.findLast((one) => sent.some(({ delivery }) => delivery === one)) ?? null;

export const TRIGGER_KINDS = ['alert', 'scan'] as const;
export type TriggerKind = (typeof TRIGGER_KINDS)[number];
