import type { Param, ParamType } from '../../../../market/indicators/rules/types.ts';
import { isRecord, type JsonRecord } from '../../../../lib/json.ts';
import { readBoolean, readChoice, readList, readMap, readNumber, readText } from '../../../../lib/read.ts';

const readType = readChoice<ParamType>(['enum', 'number', 'string', 'text']);

/** A member that is left out when it can't be read. */
const optional = <K extends string, T>(name: K, value: T | null): Partial<Record<K, T>> =>
  value === null ? {} : ({ [name]: value } as Record<K, T>);

const readLimits = ({ min, max, step }: JsonRecord): Pick<Param, 'min' | 'max' | 'step'> => ({
  ...optional('min', readNumber(min)),
  ...optional('max', readNumber(max)),
  ...optional('step', readNumber(step)),
});

/** What an enum offers, each once. */
const readValues = (values: unknown): string[] => [...new Set(readList(values, readText))];

/** @param key its name where parameters stand under their names */
function readParam(value: unknown, key: string | null): Param | null {
  if (!isRecord(value)) return null;
  const name = readText(value.name) ?? key ?? readText(value.label);
  if (!name) return null;
  const type = readType(value.type) ?? 'text';
  return {
    name,
    label: readText(value.label) ?? name,
    type,
    ...optional('values', Array.isArray(value.values) ? readValues(value.values) : null),
    ...readLimits(value),
    default: type === 'number' ? readNumber(value.default) : readText(value.default),
    required: readBoolean(value.required) ?? false,
    readOnly: readBoolean(value.readOnly) ?? false,
    allowNone: readBoolean(value.allowNone) ?? false,
    ...optional('noneLabel', readText(value.noneLabel)),
  };
}

/** A family's parameters, as a list or under their names; each name once. */
export function readParams(value: unknown): Param[] {
  const params = Array.isArray(value)
    ? readList(value, (param) => readParam(param, null))
    : Object.values(readMap(value, readParam));
  return [...new Map(params.map((param) => [param.name, param])).values()];
}

/** A parameter that is one of several texts, the first unless chosen otherwise. */
export const choiceParam = (name: string, label: string, values: readonly string[]): Param => ({
  name,
  label,
  type: 'enum',
  values,
  default: values[0] ?? null,
  required: true,
  readOnly: false,
  allowNone: false,
});
