import { useEffect, useMemo } from 'react';
import { loadCatalogs, platformCatalog } from '../../../../indicators/web/shared/catalog.ts';
import { useCompanies } from '../useCompanies.ts';
import { type AlertRow, alertRows, withWanted } from './alertRows.ts';
import type { LoadedAlerts } from './useAllAlerts.ts';

const NONE: readonly string[] = [];

/**
 * The rows of all alerts, those of which nothing changed the same as before.
 * @param wanted what switches are set to that are under way, by the rows' ids
 */
export function useAlertRows(
  loaded: LoadedAlerts | null,
  wanted: ReadonlyMap<string, boolean>,
  selected: ReadonlySet<string>,
): readonly AlertRow[] {
  // Names of indicators; without them conditions show their keys.
  useEffect(() => void loadCatalogs(), []);
  const catalog = platformCatalog.value?.catalog ?? null;
  const symbols = useMemo(() => loaded?.stocks.map(({ symbol }) => symbol) ?? NONE, [loaded]);
  const companyOf = useCompanies(symbols);
  const rows = useMemo(
    () => (loaded ? alertRows(loaded.stocks, loaded.scans, { catalog, companyOf }) : []),
    [loaded, catalog, companyOf],
  );
  return useMemo(
    () =>
      rows.map((row) => {
        const isOn = wanted.get(row.id);
        const isSelected = selected.has(row.id);
        if (isOn === undefined && !isSelected) return row;
        return { ...row, isSelected, state: isOn === undefined ? row.state : withWanted(row, isOn) };
      }),
    [rows, wanted, selected],
  );
}
