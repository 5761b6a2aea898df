import { columnName, valueKeyOf } from '../../domain/indicators/columnName.ts';
import type { Catalog } from '../../domain/indicators/types.ts';
import type { Want } from '../../market/indicators/demand.ts';
import type { ExtraColumn } from '../../sources/tradingview/columns.ts';

/** The only higher-timeframe candle that the platform has as columns. */
const PLATFORM_PERIOD = '1M';

const columnOf = (want: Want, catalog: Catalog): ExtraColumn[] => {
  if (want.kind === 'htf') {
    const { period, field } = want.choice;
    if (period !== PLATFORM_PERIOD) return [];
    return [{ column: `${field}|1M`, tf: period, key: field, valueKey: '', into: 'htf' }];
  }
  const { choice, key } = want;
  const family = catalog.indicators[choice.family];
  const column = family ? columnName(family, choice) : null;
  return column === null ? [] : [{ column, tf: choice.tf, key, valueKey: valueKeyOf(choice.delay) }];
};

/** Whether the platform brings this value itself; the others are computed here, where they can be. */
export const isFromPlatform = (want: Want): boolean =>
  want.kind === 'indicator' || want.choice.period === PLATFORM_PERIOD;

/**
 * The platform's columns for the values in use.
 * @returns a function asked before each poll; the same array until something changes
 */
export const createPlatformColumns = (parts: {
  wants: () => readonly Want[];
  catalog: () => Catalog;
}): (() => readonly ExtraColumn[]) => {
  let wants: readonly Want[] | null = null;
  let catalog: Catalog | null = null;
  let columns: readonly ExtraColumn[] = [];
  return () => {
    const now = { wants: parts.wants(), catalog: parts.catalog() };
    if (now.wants !== wants || now.catalog !== catalog) {
      ({ wants, catalog } = now);
      columns = now.wants.flatMap((want) => columnOf(want, now.catalog));
    }
    return columns;
  };
};
