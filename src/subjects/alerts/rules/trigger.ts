import type { Wire } from '#lib/contract/fields.ts';
import type { TriggerKind } from '#platform/outbox/rules/delivery.ts';
import type { listedTrigger, seenCondition, seenSide } from '../answers/alert.ts';
import type { TriggerFilter } from './eventFilter.ts';

export type SeenSide = Wire<typeof seenSide>;
export type SeenCondition = Wire<typeof seenCondition>;

/** Times are epoch ms. */
export type Trigger = {
  id: number;
  alertId: number;
  userId: number;
  symbol: string;
  /** By the wall clock. */
  triggeredAt: number;
  /** By the market's clock. */
  marketAt: number;
  /** One member per condition, including those of groups, in their order. */
  seen: readonly SeenCondition[];
  /** When the quote was made, by the market's clock; null if unknown. */
  quoteAt: number | null;
  source: string;
  delayMinutes: number;
  deactivated: boolean;
  silent: boolean;
  guard: TriggerFilter | null;
};

export const TRIGGERS_AT_ONCE = 50;
export const MAX_TRIGGERS_AT_ONCE = 100;

export type ListedTrigger = Wire<typeof listedTrigger>;

/** A position in the list of triggers. `at` is when the trigger fired, epoch ms by the wall clock. */
type TriggerPlace = { kind: TriggerKind; at: number; id: number };

/** Selects triggers before this time, and at this time those with smaller ids. */
export type TriggerBound = { at: number; id: number };

const ALL = Number.MAX_SAFE_INTEGER;
/** The format of `placeText`. */
export const PLACE_FORM = /^(\d{1,15})-(alert|scan)-(\d{1,15})$/;

/** The cursor of the next page: '1795636582368-scan-12'. */
const placeText = ({ kind, at, id }: TriggerPlace): string => `${at}-${kind}-${id}`;

export function readPlace(text: string): TriggerPlace | null {
  const [, at, kind, id] = PLACE_FORM.exec(text) ?? [];
  if (at === undefined || id === undefined) return null;
  return { kind: kind === 'scan' ? 'scan' : 'alert', at: Number(at), id: Number(id) };
}

/**
 * Bounds of one kind's triggers after a position. At the same time, alerts on stocks come before those on scans; within
 * a kind the newest comes first.
 * @param place null for the start of the list
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
 * @param found of each kind up to one more than the limit
 * @returns `next` is the cursor of the next page; null on the last page
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
