import { type TriggerKind } from '#platform/outbox/rules/delivery.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { listedTrigger } from '../answers/triggers.ts';

/* All triggers of a user in one list, those of alerts on stocks and of alerts on whole scans, newest first. */

/** How many are given at once, unless fewer or more are asked for, and at most. */
export const TRIGGERS_AT_ONCE = 50;
export const MAX_TRIGGERS_AT_ONCE = 100;

/** A trigger in the list of all. Each kind has ids of its own. */
export type ListedTrigger = Wire<typeof listedTrigger>;

/** Where a trigger stands in the list. `at` is when it fired, epoch ms by the wall clock. */
export type TriggerPlace = { kind: TriggerKind; at: number; id: number };

/** Triggers before this moment, and of this moment those of smaller ids. */
export type TriggerBound = { at: number; id: number };

const ALL = Number.MAX_SAFE_INTEGER;
/** What `placeText` makes. */
export const PLACE_FORM = /^(\d{1,15})-(alert|scan)-(\d{1,15})$/;

/** A place as a text that says where the next page begins: '1795636582368-scan-12'. */
export const placeText = ({ kind, at, id }: TriggerPlace): string => `${at}-${kind}-${id}`;

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
