import {
  type Timeframe,
  TIMEFRAMES,
  timeframeLabel,
  timeframeOptions,
} from '../../../../market/indicators/rules/timeframe.ts';
import type { Catalog, Family, FieldOption, Param } from '../../../../market/indicators/rules/types.ts';
import { isRecord } from '../../../../lib/json.ts';
import {
  type Reader,
  readBoolean,
  readChoice,
  readCount,
  readList,
  readMap,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '../../../../lib/read.ts';
import { readAnswer } from '../../../../../web/api/client.ts';
import { choiceParam, readParams } from './readParam.ts';
import { HTF_FIELDS, HTF_PERIODS } from '../../../../market/indicators/rules/htfCandle.ts';
import { BROKER_FIELDS } from '../../../../market/indicators/rules/brokerFields.ts';

export type TimeframeOption = { key: Timeframe; label: string };

export type PlatformCatalog = {
  catalog: Catalog;
  timeframes: readonly TimeframeOption[];
  /** Families that the running source gives no values for. */
  unavailable: readonly string[];
};
/** The one custom family as the server describes it. */
export type CustomFamily = Pick<Family, 'label' | 'fullName' | 'params'>;
export type CustomCatalog = { families: { htf_candle: CustomFamily }; version: number };

const readTimeframe = readChoice<Timeframe>(TIMEFRAMES);

/** The key and the label of an option that is an object, or the key alone. */
function readOption(value: unknown): { key: string | null; label: string | null } {
  const { key, label } = isRecord(value) ? value : { key: value };
  return { key: readText(key), label: readText(label) };
}

/** The members of a list that can be read, each once. */
const readDistinct = <T>(value: unknown, read: Reader<T>): T[] => [...new Set(readList(value, read))];

/** How many bars back; the bar itself is always there. */
function readDelay(value: unknown): number | null {
  const delay = readCount(value);
  return delay === 0 ? null : delay;
}

function readTimeframeOption(value: unknown): TimeframeOption | null {
  const option = readOption(value);
  const key = readTimeframe(option.key);
  return key === null ? null : { key, label: option.label ?? timeframeLabel(key) };
}

function readField(value: unknown): FieldOption | null {
  const { key, label } = readOption(value);
  if (!key) return null;
  return { key, label: label ?? BROKER_FIELDS.find((field) => field.key === key)?.label ?? key };
}

/**
 * A family as the specification has it; ours says besides on which timeframes it is offered, how it is called in full
 * and what follows its parameter.
 * @param key under which it stands in the catalog
 * @param offered the timeframes beside the catalog
 */
function readFamily(value: unknown, key: string, offered: readonly TimeframeOption[]): Family | null {
  if (!isRecord(value)) return null;
  const label = readText(value.label) ?? key;
  const hasTimeframes = readBoolean(value.hasTimeframes) ?? true;
  const all = hasTimeframes ? offered.map((option) => option.key) : [];
  return {
    family: key,
    familySlug: readText(value.familySlug) ?? key,
    label,
    fullName: readText(value.fullName) ?? label,
    params: readParams(value.params),
    defaultTimeframes: readDistinct(value.defaultTimeframes, readTimeframe),
    timeframes: Array.isArray(value.timeframes) ? readDistinct(value.timeframes, readTimeframe) : all,
    tvPrefix: readText(value.tvPrefix) ?? '',
    tvSuffix: readText(value.tvSuffix) ?? '',
    separator: readText(value.separator) ?? '',
    ignoreParam: readText(value.ignoreParam),
    delaysAvailable: readDistinct(value.delaysAvailable, readDelay),
    type: readText(value.type) ?? 'number',
    hasTimeframes,
  };
}

/** The timeframes that are offered, each once; all there are when the server does not say. */
function readTimeframes(value: unknown): TimeframeOption[] {
  const options = new Map(readList(value, readTimeframeOption).map((option) => [option.key, option]));
  return options.size > 0 ? [...options.values()] : timeframeOptions();
}

/** The fields that are offered, each once; the field catalogue when the server does not say. */
function readFields(value: unknown): readonly FieldOption[] {
  if (!Array.isArray(value)) return BROKER_FIELDS;
  return [...new Map(readList(value, readField).map((field) => [field.key, field])).values()];
}

/** GET /indicators/catalog/tv (specification 7.2). */
export function readPlatformCatalog(body: unknown): PlatformCatalog {
  const answer = readAnswer(body);
  const catalog = readRecord(answer.catalog);
  const timeframes = readTimeframes(answer.timeframes);
  return {
    catalog: {
      indicators: readMap(catalog.indicators, (family, key) => readFamily(family, key, timeframes)),
      fields: readFields(catalog.fields),
      fetchedAt: readTime(catalog.fetchedAt),
    },
    timeframes,
    unavailable: readList(answer.unavailable, readText),
  };
}

const HTF_LABEL = 'HTF candle';
const HTF_PARAMS: readonly Param[] = [
  choiceParam('period', 'Period', HTF_PERIODS),
  choiceParam('field', 'Price', HTF_FIELDS),
];

/** The one custom family; what the server does not say of it is what the specification says. */
function readCustomFamily(value: unknown): CustomFamily {
  const family = readRecord(value);
  const label = readText(family.label) ?? HTF_LABEL;
  const params = readParams(family.params);
  const isWhole = HTF_PARAMS.every(({ name }) => params.some((param) => param.name === name));
  return {
    label,
    fullName: readText(family.fullName) ?? label,
    params: isWhole ? params : HTF_PARAMS,
  };
}

/** GET /indicators/catalog/custom (specification 7.2). */
export function readCustomCatalog(body: unknown): { catalog: CustomCatalog } {
  const { families, version } = readRecord(readAnswer(body).catalog);
  const family = readCustomFamily(readRecord(families).htf_candle);
  return { catalog: { families: { htf_candle: family }, version: readNumber(version) ?? 0 } };
}
