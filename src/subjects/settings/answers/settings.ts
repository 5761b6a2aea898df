import { boolean, choice, integer, or, orNull, readBy, text, trimmed } from '#lib/contract/fields.ts';
import { object, optional, extension } from '#lib/contract/objects.ts';
import { sent, unchecked } from '#lib/contract/requests.ts';
import { isRecord } from '#lib/json.ts';
import { readCount } from '#lib/read.ts';
import { QUOTE_LINKS } from '#market/rules/quoteSite.ts';
import { paidPlan, plan } from '#subjects/accounts/answers/plans.ts';
import { droppedColumns, layouts, valueUse } from '#subjects/scanners/answers/columns.ts';

const values = {
  indicatorValues: extension(valueUse.indicatorValues),
  waitingColumns: extension(unchecked(valueUse.waitingColumns)),
};

export const quoteLinkField = choice(QUOTE_LINKS.map(({ id }) => id));

/** Answer of `GET /api/settings` (specification 7.1). An unknown plan is read as free, an unknown link as none. */
export const settingsAnswer = object({
  username: or(text, ''),
  subscriptionType: or(plan, 'free'),
  requestedSubscriptionType: orNull(paidPlan),
  upgradeDeclinedReason: extension(orNull(trimmed)),
  accessLevel: extension(
    readBy(sent(integer, { minimum: 1, maximum: 4 }), (value) => readCount(value) || null),
  ),
  /** True for an administrator who cannot administer until two-factor login is on. */
  lacksSecondFactor: extension(or(boolean, false)),
  quoteSite: or(quoteLinkField, 'none'),
  columnPreferences: unchecked(layouts),
  droppedColumns: extension(optional(unchecked(droppedColumns))),
  ...values,
});

/** Answer of `POST /api/settings/table-columns` (specification 7.1); the layouts are null if the server omits them. */
export const savedColumnsAnswer = object({
  columnPreferences: readBy(unchecked(layouts), (value) => (isRecord(value) ? layouts.read(value) : null)),
  dropped: extension(unchecked(droppedColumns)),
  ...values,
});
