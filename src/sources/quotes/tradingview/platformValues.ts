import type { DemandItem } from '#market/indicators/rules/demandItem.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { OwnValues, ValuesInUse } from '../source.ts';
import type { ExtraColumn } from './columns.ts';
import { platformColumn } from '#market/indicators/rules/platformColumn.ts';
import { valueKeyOf } from '#market/indicators/rules/indicatorKey.ts';

/** The only higher-timeframe candle that the platform has as columns. */
const PLATFORM_PERIOD = '1M';

export type PlatformValues = OwnValues & {
  /** The platform's columns for the values in use; the same array until something changes. */
  columns(): readonly ExtraColumn[];
};

function columnsOf(item: DemandItem, catalog: Catalog): ExtraColumn[] {
  if (item.kind === 'htf') {
    const { period, field } = item.choice;
    if (period !== PLATFORM_PERIOD) return [];
    return [{ column: `${field}|1M`, tf: period, key: field, valueKey: '', into: 'htf' }];
  }
  const { choice, key } = item;
  const family = catalog.indicators[choice.family];
  const column = family ? platformColumn(family, choice) : null;
  return column === null ? [] : [{ column, tf: choice.tf, key, valueKey: valueKeyOf(choice.delay) }];
}

/** Which values the platform brings itself, and by which of its columns. */
export function createPlatformValues(): PlatformValues {
  let inUse: ValuesInUse | null = null;
  let known: { items: readonly DemandItem[]; catalog: Catalog; columns: readonly ExtraColumn[] } | null =
    null;
  return {
    has: (item) => item.kind === 'indicator' || item.choice.period === PLATFORM_PERIOD,
    serve(values) {
      inUse = values;
      known = null;
    },
    columns() {
      if (!inUse) return [];
      const items = inUse.items();
      const catalog = inUse.catalog();
      if (known?.items !== items || known.catalog !== catalog) {
        known = { items, catalog, columns: items.flatMap((item) => columnsOf(item, catalog)) };
      }
      return known.columns;
    },
  };
}
