import {
  anyOf,
  boolean,
  choice,
  count,
  epochMs,
  type Field,
  integer,
  list,
  listOrNone,
  map,
  nothing,
  number,
  or,
  orNull,
  readBy,
  text,
} from '#lib/contract/fields.ts';
import { always, object, extension, whereKnown } from '#lib/contract/objects.ts';
import { described } from '#lib/contract/requests.ts';
import { isRecord } from '#lib/json.ts';
import { readCount, readMap, readNumber, readText } from '#lib/read.ts';
import {
  BROKER_FIELDS,
  type Catalog,
  type DatedCatalog,
  type Family,
  type FieldOption,
  type Param,
  type Timeframe,
  timeframeLabel,
  timeframeOptions,
  TIMEFRAMES,
} from '#market/indicators/rules/types.ts';
import { HTF_FIELDS, HTF_PERIODS } from '#market/indicators/rules/indicatorKey.ts';

export type TimeframeOption = { key: Timeframe; label: string };

export type PlatformCatalog = {
  catalog: Catalog;
  timeframes: readonly TimeframeOption[];
  /** Slugs of families for which the running source has no values. */
  unavailable: readonly string[];
};
export type TvCatalogAnswer = PlatformCatalog & { catalog: DatedCatalog };

export type CustomFamily = Pick<Family, 'label' | 'fullName' | 'params'>;

const once = <T>(members: Iterable<T>): T[] => [...new Set(members)];
const byKey = <T>(members: readonly T[], keyOf: (member: T) => string): T[] => [
  ...new Map(members.map((member) => [keyOf(member), member])).values(),
];

const givenParam = object({
  name: text,
  label: text,
  type: or(choice(['enum', 'number', 'string', 'text']), 'text'),
  values: whereKnown(listOrNone(text)),
  min: whereKnown(number),
  max: whereKnown(number),
  step: whereKnown(number),
  default: anyOf([text, number, nothing], (value) => value),
  required: or(boolean, false),
  readOnly: or(boolean, false),
  allowNone: or(boolean, false),
  noneLabel: whereKnown(text),
});

/** @param key the parameter's name in a map of parameters */
function readParam(value: unknown, key: string | null): Param | null {
  const given = givenParam.read(value);
  const name = given?.name ?? key ?? given?.label;
  if (!given || !name) return null;
  return {
    ...given,
    name,
    label: given.label ?? name,
    ...(given.values ? { values: once(given.values) } : {}),
    default: given.type === 'number' ? readNumber(given.default) : readText(given.default),
  };
}

const params: Field<readonly Param[], readonly Param[]> = {
  form: list(givenParam).form,
  read(value) {
    const known = Array.isArray(value)
      ? value.flatMap((param) => readParam(param, null) ?? [])
      : Object.values(readMap(value, readParam));
    return byKey(known, ({ name }) => name);
  },
};

const timeframe = choice(TIMEFRAMES);
/** Number of bars back; 0 is always included. */
const delay = readBy(integer, (value) => readCount(value) || null);

function onceEach<W, K>(one: Field<W, K>) {
  const members = list(one);
  return readBy(members, (value) => once(members.read(value)));
}

/** A family of the specification, with full name, timeframes and derived members. */
const givenFamily = object({
  family: extension(text),
  familySlug: text,
  label: text,
  fullName: extension(text),
  params,
  defaultTimeframes: onceEach(timeframe),
  timeframes: extension(listOrNone(timeframe)),
  tvPrefix: or(text, ''),
  tvSuffix: extension(or(text, '')),
  separator: or(text, ''),
  ignoreParam: orNull(text),
  delaysAvailable: onceEach(delay),
  type: or(text, 'number'),
  hasTimeframes: or(boolean, true),
});
type GivenFamily = NonNullable<ReturnType<typeof givenFamily.read>>;

/** Completes a family. @param key its key in the catalog @param offered timeframes of the catalog */
function completed(given: GivenFamily, key: string, offered: readonly TimeframeOption[]): Family {
  const label = given.label ?? key;
  return {
    ...given,
    family: key,
    familySlug: given.familySlug ?? key,
    label,
    fullName: given.fullName ?? label,
    timeframes: once(given.timeframes ?? (given.hasTimeframes ? offered.map((option) => option.key) : [])),
  };
}

/** An option, which may be sent as its key. */
const optionOf = <K>(members: Field<unknown, K>) =>
  readBy(members, (value) => members.read(isRecord(value) ? value : { key: value }));
const givenTimeframe = optionOf(object({ key: timeframe, label: text }, ['key']));
const givenField = optionOf(object({ key: text, label: text }));

const givenCatalog = object({
  catalog: always(
    object({
      indicators: map(givenFamily),
      fields: listOrNone(givenField),
      fetchedAt: orNull(described(epochMs, 'Milliseconds since 1970.')),
    }),
  ),
  timeframes: list(givenTimeframe),
  unavailable: extension(list(text)),
});

/** The timeframes; all if the server sends none. */
function timeframesOf(given: readonly { key: Timeframe; label: string | null }[]): TimeframeOption[] {
  const options = given.map(({ key, label }) => ({ key, label: label ?? timeframeLabel(key) }));
  return options.length > 0 ? byKey(options, ({ key }) => key) : timeframeOptions();
}

/** The fields; those of the field catalogue if the server sends none. */
function fieldsOf(
  given: readonly { key: string | null; label: string | null }[] | null,
): readonly FieldOption[] {
  if (!given) return BROKER_FIELDS;
  const options = given.flatMap(({ key, label }) =>
    key ? { key, label: label ?? BROKER_FIELDS.find((field) => field.key === key)?.label ?? key } : [],
  );
  return byKey(options, ({ key }) => key);
}

export const platformCatalog: Field<TvCatalogAnswer, PlatformCatalog | null> = {
  form: givenCatalog.form,
  read(value) {
    const given = givenCatalog.read(value);
    if (!given) return null;
    const { indicators, fields, fetchedAt } = given.catalog;
    const timeframes = timeframesOf(given.timeframes);
    const families = Object.entries(indicators).map(
      ([key, family]) => [key, completed(family, key, timeframes)] as const,
    );
    const catalog = { indicators: Object.fromEntries(families), fields: fieldsOf(fields), fetchedAt };
    return { catalog, timeframes, unavailable: given.unavailable };
  },
};

const choiceParam = (name: string, label: string, values: readonly string[]): Param => ({
  name,
  label,
  type: 'enum',
  values,
  default: values[0] ?? null,
  required: true,
  readOnly: false,
  allowNone: false,
});

/** Specification 3. */
const HTF_FAMILY = {
  family: 'htf_candle' as const,
  label: 'HTF candle',
  fullName: 'Higher-timeframe candle',
  params: [choiceParam('period', 'Period', HTF_PERIODS), choiceParam('field', 'Price', HTF_FIELDS)],
} satisfies CustomFamily & { family: 'htf_candle' };

export const CUSTOM_CATALOG = { catalog: { families: { htf_candle: HTF_FAMILY }, version: 1 } };

const givenHtf = always(
  object({
    family: extension(choice(['htf_candle'])),
    label: or(text, HTF_FAMILY.label),
    fullName: extension(text),
    params,
  }),
);

/** Reads the candle family; members that the server omits are those of the specification. */
const htfFamily = readBy(givenHtf, (value): CustomFamily => {
  const { label, fullName, params: given } = givenHtf.read(value);
  const isWhole = HTF_FAMILY.params.every(({ name }) => given.some((param) => param.name === name));
  return { label, fullName: fullName ?? label, params: isWhole ? given : HTF_FAMILY.params };
});

export const customCatalog = object({
  catalog: always(object({ families: always(object({ htf_candle: htfFamily })), version: or(integer, 0) })),
});

export const catalogStatus = object({
  /** When the platform's list was fetched; for the built-in catalog, when it was recorded. */
  fetchedAt: epochMs,
  totalIndicators: count,
});
