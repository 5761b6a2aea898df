import { useCallback, useEffect, useRef, useState } from 'react';
import { type BulkAction, outcomeText } from '../../../rules/manyAlerts.ts';
import { sayBriefly } from '../../../../../../web/shared/saved.ts';
import type { AlertRow } from './alertRows.ts';
import { doWithAll } from './requests.ts';

/** What became of the last action, in words, and whether it was done with each. */
export type Outcome = { text: string; isWhole: boolean };

const NONE: ReadonlyMap<string, boolean> = new Map();

const without = (wanted: ReadonlyMap<string, boolean>, id: string): ReadonlyMap<string, boolean> =>
  new Map([...wanted].filter(([other]) => other !== id));

/**
 * Does something with several alerts and says what became of it. As in an editor, a switch shows at once what it was set to, and
 * goes back where that is refused.
 * @param load loads the alerts again
 */
export function useMany(load: () => Promise<void>) {
  const [running, setRunning] = useState<BulkAction | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [wanted, setWanted] = useState(NONE);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const run = useCallback(
    async (rows: readonly AlertRow[], action: BulkAction): Promise<void> => {
      setRunning(action);
      setOutcome(null);
      if (action === 'on' || action === 'off')
        setWanted(new Map(rows.map(({ id }) => [id, action === 'on'])));
      const failed = await doWithAll(rows, action, ({ id }, isDone) => {
        if (!isDone) setWanted((before) => without(before, id));
      });
      const text = outcomeText(action, rows.length, failed);
      if (!isShown.current) return sayBriefly(text);
      await load();
      setWanted(NONE);
      setRunning(null);
      setOutcome({ text, isWhole: failed.length === 0 });
    },
    [load],
  );
  return { running, outcome, wanted, run, forget: () => setOutcome(null) };
}
