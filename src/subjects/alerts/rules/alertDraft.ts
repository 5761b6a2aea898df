import { ALERT_LOGIC, type Logic } from '#subjects/conditions/rules/condition.ts';
import {
  conditionsRefusal,
  type DraftCondition,
  draftOf,
  logicOf,
  newCondition,
} from '#subjects/conditions/rules/draft.ts';
import { pickTold, startOf, STOCK_OPTIONS, toldOf, type Told } from '../answers/options.ts';
import { type Destinations, destinationsOf } from './alert.ts';

type Chosen = Told<typeof STOCK_OPTIONS> & { destinations: Destinations };

/** An alert while it is edited: its conditions may be incomplete. */
export type AlertDraft = Chosen & { active: boolean; conditions: readonly DraftCondition[] };

/** What is sent to save an alert (specification 7.4), but for its symbol. */
export type AlertPayload = Chosen & { logic_json: Logic };

/** A saved alert in the form that is edited. */
export const draftOfAlert = (alert: AlertPayload & { active: boolean }): AlertDraft => ({
  ...pickTold(STOCK_OPTIONS, alert),
  active: alert.active,
  destinations: alert.destinations,
  conditions: draftOf(alert.logic_json),
});

/**
 * An alert to begin with: one condition that is still to be completed.
 * @param linked the platforms on which there is a chat, and the devices that there are; it is sent to all of them
 */
export const newAlertDraft = (linked: Destinations): AlertDraft => ({
  ...toldOf(STOCK_OPTIONS, startOf(STOCK_OPTIONS)),
  active: true,
  destinations: destinationsOf(linked),
  conditions: [newCondition([])],
});

/** Whether the conditions can be saved as they stand: at least one, and each of them whole. */
export const hasWholeConditions = ({ conditions }: Pick<AlertDraft, 'conditions'>): boolean =>
  conditionsRefusal(conditions, ALERT_LOGIC) === null;

/** What is typed is saved without blanks at its ends; nothing else is null. */
export const trimmed = (draft: Told<typeof STOCK_OPTIONS>) =>
  Object.fromEntries(
    Object.entries(pickTold(STOCK_OPTIONS, draft)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() || null : value,
    ]),
  ) as Told<typeof STOCK_OPTIONS>;

/**
 * What a draft is saved as. Conditions that are not whole yet are not saved in part, which would fire on less than was
 * meant: until they are, the alert keeps those that it has.
 * @param saved the conditions that the server holds; null for an alert that is new
 * @returns null for a new alert without whole conditions, which is not saved yet (specification, section 4)
 */
export function payloadOf(draft: AlertDraft, saved: Logic | null): AlertPayload | null {
  const logic = hasWholeConditions(draft) ? logicOf(draft.conditions) : saved;
  if (logic === null) return null;
  return { ...trimmed(draft), destinations: draft.destinations, logic_json: logic };
}

/** A text that is the same for payloads that say the same. */
export const payloadKey = (payload: AlertPayload): string => {
  const { event_guard: guard, ...options } = pickTold(STOCK_OPTIONS, payload);
  return JSON.stringify(
    sorted({
      ...options,
      // In whatever order they were chosen.
      guard: guard && guard.currencies.toSorted(),
      destinations: destinationsOf(payload.destinations),
      logic: payload.logic_json,
    }),
  );
};

/** With the members of every object in one order: the server may give them in another than they were sent in. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}
