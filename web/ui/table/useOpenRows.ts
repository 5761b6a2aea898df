import { useCallback, useState } from 'react';
import type { OpenRows } from './tableModel.ts';

const NONE: ReadonlySet<string> = new Set();

/** @param given for controlled use, for example by two tables between which a row moves */
export function useOpenRows(given: OpenRows | undefined): OpenRows {
  const [open, setOpen] = useState(NONE);
  const toggle = useCallback((id: string) => {
    setOpen((old) =>
      old.has(id) ? new Set([...old].filter((other) => other !== id)) : new Set([...old, id]),
    );
  }, []);
  return given ?? { open, toggle };
}
