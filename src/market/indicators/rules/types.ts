import type { Timeframe } from './timeframe.ts';

export type ParamType = 'enum' | 'number' | 'string' | 'text';
export type ParamValue = string | number | null;
export type ParamValues = Readonly<Record<string, ParamValue>>;

/** Specification, section 3. Only an enum has `values`; only a number has min, max, step. */
export type Param = {
  name: string;
  label: string;
  type: ParamType;
  values?: readonly string[];
  min?: number;
  max?: number;
  step?: number;
  default: ParamValue;
  required: boolean;
  readOnly: boolean;
  /** A blank choice is allowed, shown as `noneLabel` and omitted from the values. */
  allowNone: boolean;
  noneLabel?: string;
};

/** A formula with parameters, timeframes and delays (specification, section 3). */
export type Family = {
  /** The slug, e.g. 'rsi', 'adx-plus-di', 'donch-ch-upper'. */
  family: string;
  label: string;
  fullName: string;
  params: readonly Param[];
  defaultTimeframes: readonly Timeframe[];
  timeframes: readonly Timeframe[];
  tvPrefix: string;
  /** After the parameter, e.g. '.Upper' of DonchCh20.Upper; '' for most families. */
  tvSuffix: string;
  separator: string;
  /** The parameter value of the bare prefix; null if there is none. */
  ignoreParam: string | null;
  /** Offered bars back, in addition to now. */
  delaysAvailable: readonly number[];
  /** Lower-case letters, digits and hyphens; unique. The same as `family`. */
  familySlug: string;
  /** The platform's kind of value: number, price, percent, time, text. */
  type: string;
  hasTimeframes: boolean;
};

export type FieldOption = { key: string; label: string };

export type Catalog = {
  indicators: Readonly<Record<string, Family>>;
  fields: readonly FieldOption[];
  /** When the platform's list was read or recorded, epoch ms. Null if unknown. */
  fetchedAt: number | null;
};
export type DatedCatalog = Catalog & { fetchedAt: number };

export type IndicatorChoice = {
  family: string;
  params: ParamValues;
  tf: Timeframe;
  delay: number;
};
