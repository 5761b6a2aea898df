import { useCallback, useState } from 'react';

const NONE: ReadonlySet<string> = new Set();

/** The ids of the rows that are open, and what opens or closes one. */
export function useOpenRows() {
  const [open, setOpen] = useState(NONE);
  const toggle = useCallback((id: string) => {
    setOpen((old) =>
      old.has(id) ? new Set([...old].filter((other) => other !== id)) : new Set([...old, id]),
    );
  }, []);
  return { open, toggle };
}
