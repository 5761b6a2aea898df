import { ALERT_LOGIC, type Logic } from '#subjects/conditions/rules/condition.ts';
import {
  conditionsRefusal,
  type DraftCondition,
  draftOf,
  logicOf,
  newCondition,
} from '#subjects/conditions/rules/draft.ts';
import type { Destinations } from './alert.ts';
import { ALERT_COOLDOWN } from './cooldown.ts';
import type { EventGuard } from './eventGuard.ts';
import { type Manner, mannerOf, PLAIN_MANNER } from './manner.ts';

/** An alert while it is edited: its conditions may be incomplete. */
export type AlertDraft = Manner & {
  name: string;
  active: boolean;
  persistent: boolean;
  destinations: Destinations;
  conditions: readonly DraftCondition[];
  note: string;
  /** ISO 8601; null for never. */
  expiresAt: string | null;
  /** What it does around events; null for nothing. */
  guard: EventGuard | null;
  cooldownMinutes: number;
};

/** What is sent to save an alert (specification 7.4), but for its symbol. */
export type AlertPayload = Manner & {
  name: string | null;
  persistent: boolean;
  logic_json: Logic;
  destinations: Destinations;
  note: string | null;
  expires_at: string | null;
  event_guard: EventGuard | null;
  cooldown_minutes: number;
};

/** The members of a saved alert that a draft begins with. */
type SavedAlert = Omit<AlertPayload, 'logic_json'> & { active: boolean; logic_json: Logic };

/** A saved alert in the form that is edited. */
export const draftOfAlert = (alert: SavedAlert): AlertDraft => ({
  name: alert.name ?? '',
  active: alert.active,
  persistent: alert.persistent,
  destinations: alert.destinations,
  conditions: draftOf(alert.logic_json),
  note: alert.note ?? '',
  expiresAt: alert.expires_at,
  guard: alert.event_guard,
  cooldownMinutes: alert.cooldown_minutes,
  ...mannerOf(alert),
});

/**
 * An alert to begin with: one condition that is still to be completed.
 * @param linked the platforms on which there is a chat, and the devices that there are; it is sent to all of them
 */
export const newAlertDraft = (linked: Destinations): AlertDraft => ({
  name: '',
  active: true,
  persistent: false,
  destinations: { telegram: linked.telegram, discord: linked.discord, devices: linked.devices },
  conditions: [newCondition([])],
  note: '',
  expiresAt: null,
  guard: null,
  cooldownMinutes: ALERT_COOLDOWN.start,
  ...PLAIN_MANNER,
});

/** Whether the conditions can be saved as they stand: at least one, and each of them whole. */
export const hasWholeConditions = ({ conditions }: Pick<AlertDraft, 'conditions'>): boolean =>
  conditionsRefusal(conditions, ALERT_LOGIC) === null;

/**
 * What a draft is saved as. Conditions that are not whole yet are not saved in part, which would fire on less than was
 * meant: until they are, the alert keeps those that it has.
 * @param saved the conditions that the server holds; null for an alert that is new
 * @returns null for a new alert without whole conditions, which is not saved yet (specification, section 4)
 */
export function payloadOf(draft: AlertDraft, saved: Logic | null): AlertPayload | null {
  const logic = hasWholeConditions(draft) ? logicOf(draft.conditions) : saved;
  if (logic === null) return null;
  return {
    name: draft.name.trim() || null,
    persistent: draft.persistent,
    logic_json: logic,
    destinations: draft.destinations,
    note: draft.note.trim() || null,
    expires_at: draft.expiresAt,
    event_guard: draft.guard,
    cooldown_minutes: draft.cooldownMinutes,
    ...mannerOf(draft),
    group: draft.group?.trim() || null,
  };
}

/** A text that is the same for payloads that say the same. */
export const payloadKey = (payload: AlertPayload): string => {
  const { name, persistent, logic_json, destinations, note, expires_at, event_guard } = payload;
  const { cooldown_minutes, urgent, group, sound } = payload;
  const { telegram, discord, devices } = destinations;
  return JSON.stringify([
    name,
    persistent,
    telegram,
    discord,
    devices,
    note,
    expires_at,
    guardKey(event_guard),
    cooldown_minutes,
    urgent,
    group,
    sound,
    sorted(logic_json),
  ]);
};

/** The currencies in one order. */
const guardKey = (guard: EventGuard | null): string | null => guard && guard.currencies.toSorted().join(' ');

/** With the members of every object in one order: the server may give them in another than they were sent in. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}
