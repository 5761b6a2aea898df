import type { Wire } from '#lib/contract/fields.ts';
import { type ChartTimeframe, MAX_BARS } from '#market/bars/rules/bars.ts';
import type { TriggerKind } from '#platform/outbox/rules/delivery.ts';
import type { listedTrigger, seenCondition, seenSide } from '../answers/alert.ts';
import type { TriggerGuard } from './eventGuard.ts';

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

/* All triggers of a user in one list, those of alerts on stocks and of alerts on whole scans, newest first. */

/** How many are given at once, unless fewer or more are asked for, and at most. */
export const TRIGGERS_AT_ONCE = 50;
export const MAX_TRIGGERS_AT_ONCE = 100;

/** A trigger in the list of all. Each kind has ids of its own. */
export type ListedTrigger = Wire<typeof listedTrigger>;

/** Where a trigger stands in the list. `at` is when it fired, epoch ms by the wall clock. */
type TriggerPlace = { kind: TriggerKind; at: number; id: number };

/** Triggers before this moment, and of this moment those of smaller ids. */
export type TriggerBound = { at: number; id: number };

const ALL = Number.MAX_SAFE_INTEGER;
/** What `placeText` makes. */
export const PLACE_FORM = /^(\d{1,15})-(alert|scan)-(\d{1,15})$/;

/** A place as a text that says where the next page begins: '1795636582368-scan-12'. */
const placeText = ({ kind, at, id }: TriggerPlace): string => `${at}-${kind}-${id}`;

/** @returns null for what `placeText` did not make */
export function readPlace(text: string): TriggerPlace | null {
  const [, at, kind, id] = PLACE_FORM.exec(text) ?? [];
  if (at === undefined || id === undefined) return null;
  return { kind: kind === 'scan' ? 'scan' : 'alert', at: Number(at), id: Number(id) };
}

/**
 * Which triggers of a kind stand behind a place. Of one moment, alerts on stocks stand before those on scans, and in each
 * kind the newest id first.
 * @param place null for the beginning of the list
 */
export function boundBehind(place: TriggerPlace | null, kind: TriggerKind): TriggerBound {
  if (place === null) return { at: ALL, id: ALL };
  if (place.kind === kind) return { at: place.at, id: place.id };
  return { at: place.at, id: kind === 'scan' ? ALL : 0 };
}

const placeOf = ({ kind, id, timestamp }: ListedTrigger): TriggerPlace => ({
  kind,
  id,
  at: Date.parse(timestamp),
});

function inOrder(one: ListedTrigger, other: ListedTrigger): number {
  const [a, b] = [placeOf(one), placeOf(other)];
  if (a.at !== b.at) return b.at - a.at;
  return a.kind === b.kind ? b.id - a.id : a.kind === 'alert' ? -1 : 1;
}

/**
 * A page of the list.
 * @param found of each kind one more than the page has, where there are this many
 * @returns `next` names where the next page begins; null when there is none
 */
export function triggerPage(
  found: readonly ListedTrigger[],
  limit: number,
): { triggers: ListedTrigger[]; next: string | null } {
  const ordered = found.toSorted(inOrder);
  const triggers = ordered.slice(0, limit);
  const last = triggers.at(-1);
  return { triggers, next: last && ordered.length > limit ? placeText(placeOf(last)) : null };
}

const DAY_MS = 86_400_000;

/** The timeframes that firings are shown on, and how many days of the calendar an answer of `MAX_BARS` reaches back. */
const REACHES: readonly { tf: ChartTimeframe; days: number }[] = [
  // A trading day has at most 370 minutes in which a stock trades; of seven days five are trading days.
  { tf: '1', days: 7 },
  { tf: '5', days: 35 },
  { tf: '60', days: 400 },
  { tf: 'D', days: Math.floor((MAX_BARS * 7) / 5) },
  { tf: 'W', days: MAX_BARS * 7 },
];

/**
 * The finest timeframe whose bars reach from a moment to another within one answer.
 * @param from epoch ms @param to epoch ms
 */
export function timeframeFor(from: number, to: number): ChartTimeframe {
  const days = (to - from) / DAY_MS;
  return REACHES.find((reach) => days <= reach.days)?.tf ?? 'M';
}
