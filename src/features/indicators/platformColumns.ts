import { platformColumn } from '../../domain/indicators/platformColumn.ts';
import { valueKeyOf } from '../../domain/indicators/indicatorKey.ts';
import type { Catalog } from '../../domain/indicators/types.ts';
import type { DemandItem } from '../../market/indicators/demand.ts';
import type { ExtraColumn } from '../../sources/quotes/tradingview/columns.ts';

/** The only higher-timeframe candle that the platform has as columns. */
const PLATFORM_PERIOD = '1M';

function columnOf(item: DemandItem, catalog: Catalog): ExtraColumn[] {
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

/** Whether the platform brings this value itself; the others are computed here, where they can be. */
export const isFromPlatform = (item: DemandItem): boolean =>
  item.kind === 'indicator' || item.choice.period === PLATFORM_PERIOD;

/**
 * The platform's columns for the values in use.
 * @returns a function asked before each poll; the same array until something changes
 */
export function createPlatformColumns(parts: {
  items: () => readonly DemandItem[];
  catalog: () => Catalog;
}): () => readonly ExtraColumn[] {
  let items: readonly DemandItem[] | null = null;
  let catalog: Catalog | null = null;
  let columns: readonly ExtraColumn[] = [];
  return () => {
    const now = { items: parts.items(), catalog: parts.catalog() };
    if (now.items !== items || now.catalog !== catalog) {
      ({ items, catalog } = now);
      columns = now.items.flatMap((item) => columnOf(item, now.catalog));
    }
    return columns;
  };
}
