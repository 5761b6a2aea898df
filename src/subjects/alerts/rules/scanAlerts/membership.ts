import { type Truth, TRUE, UNKNOWN } from '../truth.ts';
import { type Readiness, isTradedField } from '../readiness.ts';
import { conditionsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import { isScanFieldOfDay } from '#subjects/conditions/rules/scanFields.ts';

/**
 * Where a stock stands of a scan as it was last known. `NEW`: never known yet, so whatever it is found to be first is
 * neither an entering nor a leaving.
 */
export const NEW = 0;
export const OUT = 1;
export const IN = 2;
export type Membership = typeof NEW | typeof OUT | typeof IN;

/** What of a scan decides how its members are judged. */
export type ScanTraits = {
  /** It reads what is counted from zero each day, so nobody is in it before the day's first trade. */
  readonly readsDay: boolean;
  /** It looks for a crossing, which is over in a moment. */
  readonly isMomentary: boolean;
};

const isCrossing = (op: string): boolean => op === 'crosses_above' || op === 'crosses_below';

/** The last price goes on from day to day; what else is traded begins again with each session. */
const isOfDay = (key: string): boolean => (isTradedField(key) && key !== 'last') || isScanFieldOfDay(key);

export function traitsOf(logic: Logic): ScanTraits {
  const conditions = conditionsOf(logic);
  return {
    readsDay: conditions.some(({ lhs, rhs }) =>
      [lhs, rhs].some((side) => side.type === 'field' && isOfDay(side.key)),
    ),
    isMomentary: conditions.some(({ op }) => isCrossing(op)),
  };
}

/**
 * Where a stock stands after a look. What is not known changes nothing, but for a scan that has not known the stock yet:
 * before the stock's first trade of the day nobody is in a scan of the day's figures.
 * @param truth of the scan's conditions; UNKNOWN as well where the stock is not evaluated
 */
export function membershipAfter(
  before: Membership,
  truth: Truth,
  readiness: Readiness,
  { readsDay }: Pick<ScanTraits, 'readsDay'>,
): Membership {
  if (truth === UNKNOWN) return before === NEW && readiness === 'auction' && readsDay ? OUT : before;
  return truth === TRUE ? IN : OUT;
}

/** What is left of a membership when a session begins: nobody is told that the day's figures began again. */
export const membershipNextDay = (
  before: Membership,
  { readsDay }: Pick<ScanTraits, 'readsDay'>,
): Membership => (before === NEW || !readsDay ? before : OUT);
