import { ALERT_LOGIC, type Logic } from '#subjects/conditions/rules/condition.ts';
import {
  conditionsRefusal,
  type DraftCondition,
  draftOf,
  logicOf,
  newCondition,
} from '#subjects/conditions/rules/draft.ts';
import { pickValues, startOf, STOCK_OPTIONS, valuesOf, type OptionValues } from '../answers/options.ts';
import { type Destinations } from './recipient.ts';
import { destinationsOf } from './alert.ts';

type Chosen = OptionValues<typeof STOCK_OPTIONS> & { destinations: Destinations };

export type AlertDraft = Chosen & { active: boolean; conditions: readonly DraftCondition[] };

/** The request that saves an alert (specification 7.4), without the symbol. */
export type AlertPayload = Chosen & { logic_json: Logic };

export const draftOfAlert = (alert: AlertPayload & { active: boolean }): AlertDraft => ({
  ...pickValues(STOCK_OPTIONS, alert),
  active: alert.active,
  destinations: alert.destinations,
  conditions: draftOf(alert.logic_json),
});

/** A new alert with one empty condition, sent to all linked platforms and devices. */
export const newAlertDraft = (linked: Destinations): AlertDraft => ({
  ...valuesOf(STOCK_OPTIONS, startOf(STOCK_OPTIONS)),
  active: true,
  destinations: destinationsOf(linked),
  conditions: [newCondition([])],
});

export const hasWholeConditions = ({ conditions }: Pick<AlertDraft, 'conditions'>): boolean =>
  conditionsRefusal(conditions, ALERT_LOGIC) === null;

/** Trims texts; an empty text becomes null. */
export const trimmed = (draft: OptionValues<typeof STOCK_OPTIONS>) =>
  Object.fromEntries(
    Object.entries(pickValues(STOCK_OPTIONS, draft)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.trim() || null : value,
    ]),
  ) as OptionValues<typeof STOCK_OPTIONS>;

/**
 * The request that saves a draft. Incomplete conditions are not saved in part, because fewer conditions fire too often;
 * until they are complete, the alert keeps its saved ones.
 * @param saved the server's conditions; null for a new alert
 * @returns null for a new alert with incomplete conditions (specification, section 4)
 */
export function payloadOf(draft: AlertDraft, saved: Logic | null): AlertPayload | null {
  const logic = hasWholeConditions(draft) ? logicOf(draft.conditions) : saved;
  if (logic === null) return null;
  return { ...trimmed(draft), destinations: draft.destinations, logic_json: logic };
}

/** A key that is equal for payloads with the same meaning. */
export const payloadKey = (payload: AlertPayload): string => {
  const { event_guard: guard, ...options } = pickValues(STOCK_OPTIONS, payload);
  return JSON.stringify(
    sorted({
      ...options,
      guard: guard && guard.currencies.toSorted(),
      destinations: destinationsOf(payload.destinations),
      logic: payload.logic_json,
    }),
  );
};

/** Sorts the members of every object, because the server may send them in another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}
