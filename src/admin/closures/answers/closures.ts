import {
  boolean,
  choice,
  date,
  list,
  or,
  orNull,
  trimmed,
  type Known,
  type Wire,
} from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { SPECIAL_DAY_KINDS } from '../rules/specialDayForm.ts';

export const specialDayForm = object(
  {
    date,
    kind: choice(SPECIAL_DAY_KINDS),
    /** HH:MM; null unless trading ends early. */
    closesAt: orNull(trimmed),
    reason: or(trimmed, ''),
    /** True if the day is in the setting and can only be removed there. */
    bySetting: or(boolean, false),
  },
  ['date', 'kind'],
);

export const closuresAnswer = always(object({ days: list(specialDayForm) }));
export type KnownSpecialDay = Known<typeof specialDayForm>;
export type SpecialDayView = Wire<typeof specialDayForm>;
