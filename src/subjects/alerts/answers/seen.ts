import { boolean, choice, number, or, orNull, readBy, text } from '#lib/contract/fields.ts';
import { always, object, optional } from '#lib/contract/objects.ts';
import { readRecord } from '#lib/read.ts';
import { OPERATORS } from '#subjects/conditions/rules/condition.ts';

const wholeSide = always(
  object({
    text: or(text, ''),
    value: orNull(number),
    /** Only of a crossing. */
    before: optional(orNull(number)),
  }),
);

/** One side of a condition, before and after. */
export const seenSide = readBy(wholeSide, (value) => {
  const { before, ...side } = wholeSide.read(value);
  return readRecord(value).before === undefined ? side : { ...side, before };
});

/** What a condition saw when it was evaluated. */
export const seenCondition = object(
  {
    left: seenSide,
    op: choice(OPERATORS),
    right: seenSide,
    /** Null: it could not be evaluated. */
    holds: orNull(boolean),
  },
  ['op'],
);
