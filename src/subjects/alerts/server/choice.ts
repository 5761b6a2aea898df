import { destinationsOf } from '../rules/alert.ts';
import { checkAlertLogic, checkAlertName, checkAlertNote, checkDestinations } from '../rules/alertRules.ts';
import { checkEventGuard } from '../rules/eventGuard.ts';
import { checkCooldown } from '../rules/cooldown.ts';
import { checkExpiry } from '../rules/expiry.ts';
import { checkManner, type Manner } from '../rules/manner.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import { followedScans } from '#subjects/conditions/rules/savedScan.ts';
import { checkLiveSymbol, normaliseSymbol } from '#market/rules/liveSymbols.ts';
import { accepted } from '#platform/http/errors.ts';
import { readTime } from '#lib/read.ts';
import type { Result } from '#lib/result.ts';
import type { AlertsDeps } from './deps.ts';
import { refuseTooManyGroups } from './groups.ts';
import type { AlertRow } from './store.ts';

/** An alert as it was sent (specification 7.4). What is absent stays as it is. */
export type SentAlert = {
  symbol?: string | undefined;
  name?: unknown;
  active?: boolean | undefined;
  persistent?: boolean | undefined;
  logic_json?: unknown;
  destinations?: unknown;
  note?: unknown;
  expires_at?: unknown;
  event_guard?: unknown;
  cooldown_minutes?: unknown;
  urgent?: unknown;
  group?: unknown;
  sound?: unknown;
  /** ISO 8601; null ends the snooze. */
  snoozed_until?: unknown;
  /** The version that the change was made on; without it the last change wins. */
  version?: number | undefined;
};

/** Conditions as a user may have them; a refusal names what is at fault. */
export const checkOwnLogic = ({ indicators }: AlertsDeps, userId: number, sent: unknown): Result<Logic> =>
  checkAlertLogic(indicators.catalog.current(), sent, followedScans(indicators.scansOf(userId)));

/** What a person chooses of an alert, as it is stored. */
export type Choice = Pick<
  AlertRow,
  | 'symbol'
  | 'name'
  | 'active'
  | 'persistent'
  | 'logic'
  | 'note'
  | 'expiresAt'
  | 'guard'
  | 'cooldownMinutes'
  | 'urgent'
  | 'group'
  | 'sound'
  | 'telegram'
  | 'discord'
  | 'devices'
>;

/** What a person chose, as it would be stored. @throws AppError 400 naming what is at fault */
export function chosen(deps: AlertsDeps, row: AlertRow, sent: SentAlert): Choice {
  const { market } = deps;
  // A symbol that is not listed any more stays where it is.
  const isMoved = sent.symbol !== undefined && normaliseSymbol(sent.symbol) !== row.symbol;
  const symbol = isMoved ? accepted(checkLiveSymbol(sent.symbol ?? '', market.all())) : row.symbol;
  const name = sent.name === undefined ? row.name : accepted(checkAlertName(sent.name));
  const active = sent.active ?? row.active;
  const isOther = sent.logic_json !== undefined && !Bun.deepEquals(sent.logic_json, row.logic);
  // What stays is not judged again, so that an alert whose scan is gone can still be renamed; but what is switched on may
  // have been stored when the catalog was another.
  const isLogicNew = isOther || (active && !row.active);
  const logic = isLogicNew
    ? accepted(checkOwnLogic(deps, row.userId, sent.logic_json ?? row.logic))
    : row.logic;
  const destinations = accepted(checkDestinations(sent.destinations, destinationsOf(row)));
  const note = sent.note === undefined ? row.note : accepted(checkAlertNote(sent.note));
  const persistent = sent.persistent ?? row.persistent;
  const guard = sent.event_guard === undefined ? row.guard : accepted(checkEventGuard(sent.event_guard));
  return {
    symbol,
    name,
    active,
    persistent,
    logic,
    note,
    guard,
    cooldownMinutes:
      sent.cooldown_minutes === undefined
        ? row.cooldownMinutes
        : accepted(checkCooldown(sent.cooldown_minutes)),
    ...chosenManner(deps, row, sent),
    expiresAt: chosenExpiry(deps, row, sent),
    ...destinations,
  };
}

/** @throws AppError 400 naming what is at fault */
function chosenManner({ store }: AlertsDeps, row: AlertRow, sent: SentAlert): Manner {
  const manner = accepted(checkManner(sent, row));
  if (manner.group !== row.group) refuseTooManyGroups(manner.group, () => store.groups(row.userId));
  return manner;
}

/** A time that is over is no refusal where it stays as it was, and ends as the alert is switched on again. */
function chosenExpiry({ marketNow }: AlertsDeps, row: AlertRow, sent: SentAlert): number | null {
  const { expiresAt } = row;
  const isSame =
    typeof sent.expires_at === 'string' && expiresAt !== null && readTime(sent.expires_at) === expiresAt;
  if (sent.expires_at !== undefined && !isSame) return accepted(checkExpiry(sent.expires_at, marketNow()));
  const isOver = expiresAt !== null && expiresAt <= marketNow();
  return isOver && sent.active === true && !row.active ? null : expiresAt;
}
