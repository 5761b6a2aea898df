import { failed, ok, type Result } from '#lib/result.ts';
import type { HtfChoice, YearChoice } from '#market/indicators/rules/indicatorKey.ts';
import type { Catalog, Timeframe } from '#market/indicators/rules/types.ts';
import type { LogicKind } from '../condition.ts';
import { checkRef, type FieldRef, type Ref } from '../operand.ts';

/** The kind of a value; only values of one kind can be compared. */
export type Kind =
  | 'price'
  | 'shares'
  | 'money'
  | 'percent'
  | 'ratio'
  | 'pips'
  | 'minutes'
  /** An oscillator's own scale, by its name. */
  | `of ${string}`;

export type IndicatorSpec = {
  type: 'indicator';
  family: string;
  /** The first parameter; null for the catalog's default. */
  length: string | null;
  tf: Timeframe | null;
};

export type Value = {
  spec: { type: 'field'; key: string } | IndicatorSpec | ({ type: 'htf' } & (HtfChoice | YearChoice));
  kind: Kind;
  name: string;
  note: string | null;
};

/** Names that phrases may use: indicators with values, and the market's sectors. */
export type PhraseContext = {
  catalog: Pick<Catalog, 'indicators'>;
  /** Families for which the price source has no values. */
  unavailable: ReadonlySet<string>;
  sectors: readonly string[];
  kind: LogicKind;
};

export const isSame = (one: Value, other: Value): boolean =>
  JSON.stringify(one.spec) === JSON.stringify(other.spec);

export const NO_SUCH_AVERAGE = 'Volume averages are available only over 10, 30, 60 and 90 days.';

function refOf(context: PhraseContext, { family, length, tf }: IndicatorSpec): Result<Ref, string> {
  const offered = context.catalog.indicators[family];
  if (!offered) {
    const isVolume = family.startsWith('average-volume');
    return failed(isVolume ? NO_SUCH_AVERAGE : 'The indicator is not in the list.');
  }
  if (context.unavailable.has(family)) return failed(`The price source has no values of ${offered.label}.`);
  const [param] = offered.params;
  if (length !== null && param === undefined) return failed(`${offered.label} has no length.`);
  const checked = checkRef(context.catalog, {
    type: 'indicator',
    family,
    params: length === null || !param ? {} : { [param.name]: length },
    tf: tf ?? 'D',
    valueKey: 'now',
  });
  if (checked.ok) return checked;
  const lengths = (param?.values ?? []).join(', ');
  const isLength = checked.error.field?.startsWith('params') === true;
  return failed(
    isLength ? `${offered.label} is available only with these lengths: ${lengths}.` : checked.error.message,
  );
}

/** @param tf for an indicator without its own @returns the operand, or why there is none as a sentence */
export function operandOf(
  context: PhraseContext,
  { spec }: Value,
  tf: Timeframe | null,
): Result<Ref | FieldRef, string> {
  if (spec.type !== 'indicator') return ok(spec);
  return refOf(context, { ...spec, tf: spec.tf ?? tf });
}

export const averageVolume = (days: string): Value => ({
  spec: { type: 'indicator', family: `average-volume-${days}d-calc`, length: null, tf: 'D' },
  kind: 'shares',
  name: `the average volume of ${days} days`,
  note: null,
});
