import {
  anyOf,
  boolean,
  choice,
  count,
  type Field,
  integer,
  listOrNone,
  map,
  named,
  nothing,
  number,
  or,
  readBy,
  text,
  words,
} from '#lib/contract/fields.ts';
import { object, optional } from '#lib/contract/objects.ts';
import { isRecord } from '#lib/json.ts';
import { readText } from '#lib/read.ts';
import type { WaitingColumn } from '#market/indicators/rules/valueLimits.ts';
import type { ColumnEntry } from '#market/scanners/rules/columnList.ts';
import { readFormat } from '#market/scanners/rules/columnFormat.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';

const paramValue = anyOf([text, number, nothing], (value) =>
  typeof value === 'number' ? value : readText(value),
);

const given = object(
  {
    decimals: optional(anyOf([integer, choice(['price'])], (value) => value)),
    short: optional(boolean),
    width: optional(number),
    id: words,
    enabled: or(boolean, true),
    mandatory: or(boolean, false),
    type: choice(['base', 'indicator', 'custom']),
    label: text,
    valueKey: optional(text),
    indicator: optional(
      object({ family: words, params: map(paramValue), tf: words, key: words }, ['family', 'tf', 'key']),
    ),
    custom: optional(
      object(
        {
          family: choice(['htf_candle']),
          params: object({ period: words, field: words }, ['period', 'field']),
          key: words,
        },
        ['family', 'params', 'key'],
      ),
    ),
  },
  ['id', 'type'],
);

/**
 * Accepts columns that only a newer server knows, so that saving the list keeps them. `normaliseColumns` decides which
 * exist in a scanner.
 */
export const column: Field<ColumnEntry> = {
  form: named('Column', given).form,
  read(value) {
    const known = given.read(value);
    if (!known || !isRecord(value)) return null;
    const { id, enabled, mandatory, type, label, valueKey, indicator, custom } = known;
    const entry = { id, enabled, mandatory, type, label: label ?? id, ...readFormat(value) };
    if (type === 'indicator') return indicator && { ...entry, valueKey: valueKey ?? 'now', indicator };
    if (type === 'custom') return custom && { ...entry, custom };
    return entry;
  },
};

type ByTable<T> = Readonly<Partial<Record<ScannerKey, readonly T[]>>>;
/** A list per table; tables without a list are omitted. */
const byTable = <W, K>(one: Field<W, K>): Field<ByTable<W>, ByTable<NonNullable<K>>> => map(listOrNone(one));

/** Saved layouts; a table that is missing has its default layout. */
export const layouts = byTable(column);
/** Columns dropped from saved layouts because they no longer exist. */
export const droppedColumns = byTable(object({ id: or(text, ''), reason: words }, ['reason']));

/** The limit of a user's indicator values, and the number in use. */
const indicatorValues = object({ limit: count, used: or(count, 0) }, ['limit']);
const waiting = object({ id: words, label: text, reason: words }, ['id', 'reason']);
/** A column without values is ignored. */
const waitingColumn = readBy(waiting, (value): WaitingColumn | null => {
  const known = waiting.read(value);
  return known && { ...known, label: known.label ?? known.id };
});

export const valueUse = { indicatorValues, waitingColumns: byTable(waitingColumn) };
