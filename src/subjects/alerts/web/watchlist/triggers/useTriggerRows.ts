import { useMemo, useState } from 'react';
import { useCompanies } from '../useCompanies.ts';
import type { TriggerPage } from './readTriggerList.ts';
import { type TriggerRow, triggerRow } from './triggerColumns.tsx';
import { triggerRowId } from './triggerPages.ts';

/** The rows of triggers; one that says nothing new stays the same, as the newest are read again with each that fires. */
export function useTriggerRows(list: TriggerPage | null): readonly TriggerRow[] {
  const [kept] = useState(() => new Map<string, { said: string; row: TriggerRow }>());
  const symbols = useMemo(() => (list?.triggers ?? []).flatMap(({ symbol }) => symbol ?? []), [list]);
  const companyOf = useCompanies(symbols);
  return useMemo(() => {
    return (list?.triggers ?? []).map((trigger) => {
      const rowId = triggerRowId(trigger);
      const row = triggerRow(trigger, rowId, companyOf);
      const said = JSON.stringify(row);
      const before = kept.get(rowId);
      if (before?.said === said) return before.row;
      kept.set(rowId, { said, row });
      return row;
    });
  }, [list, companyOf, kept]);
}
