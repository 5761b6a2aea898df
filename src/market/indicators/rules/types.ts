import type { Timeframe } from './timeframe.ts';

export type ParamType = 'enum' | 'number' | 'string' | 'text';
export type ParamValue = string | number | null;
/** Values by parameter name. */
export type ParamValues = Readonly<Record<string, ParamValue>>;

/** A parameter of a family (specification, section 3). Only an enum has `values`; only a number has min, max, step. */
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
  /** A blank choice is allowed; it is shown as `noneLabel` and left out of the values. */
  allowNone: boolean;
  noneLabel?: string;
};

/** A family of indicators: one formula with its parameter values, timeframes and delays (specification, section 3). */
export type Family = {
  /** Its key in the catalog: the slug, e.g. 'rsi', 'adx-plus-di', 'donch-ch-upper'. */
  family: string;
  /** Short, for column headers. */
  label: string;
  /** In full, for the picker's search. */
  fullName: string;
  params: readonly Param[];
  defaultTimeframes: readonly Timeframe[];
  /** Timeframes that every value of the family has, in the order they are offered. */
  timeframes: readonly Timeframe[];
  /** The platform's column name up to the parameter. */
  tvPrefix: string;
  /** What follows the parameter, e.g. '.Upper' of DonchCh20.Upper; '' for most families. */
  tvSuffix: string;
  /** Between prefix and parameter: '' or '_'. */
  separator: string;
  /** The parameter value that is written as the bare prefix; null when none is. */
  ignoreParam: string | null;
  /** How many bars back it is offered, besides now. */
  delaysAvailable: readonly number[];
  /** Lower-case letters, digits and hyphens; unique. The same as `family`. */
  familySlug: string;
  /** The platform's kind of value: number, price, percent, time, text. */
  type: string;
  hasTimeframes: boolean;
};

/** A field of the stock record that conditions and columns may use. */
export type FieldOption = { key: string; label: string };

export type Catalog = {
  /** Families by their slug. */
  indicators: Readonly<Record<string, Family>>;
  fields: readonly FieldOption[];
  /** When the platform's list was read, epoch ms; of the built-in one when it was recorded. Null when nobody says. */
  fetchedAt: number | null;
};
/** A catalog of the server: it knows how old it is. */
export type DatedCatalog = Catalog & { fetchedAt: number };

/** One indicator on one timeframe, with checked parameters. */
export type IndicatorChoice = {
  family: string;
  params: ParamValues;
  tf: Timeframe;
  /** Bars back; 0 is now. */
  delay: number;
};
