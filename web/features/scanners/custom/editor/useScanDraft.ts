import { useMemo, useState } from 'react';
import {
  conditionsRefusal,
  type DraftCondition,
  draftOf,
  logicOf,
  newCondition,
} from '../../../../../src/domain/conditions/draft.ts';
import { saveScan, scans } from '../state.ts';

type Start = { isNew: boolean; name: string; conditions: readonly DraftCondition[] };

export type ScanDraft = ReturnType<typeof useScanDraft>;

function startOf(id: number | null): Start {
  const scan = scans.peek()?.find((one) => one.id === id);
  return scan
    ? { isNew: false, name: scan.name, conditions: draftOf(scan.logic) }
    : { isNew: true, name: '', conditions: [newCondition([])] };
}

/**
 * A scan while it is edited: its name and conditions, what is wrong with them, and its saving.
 * @param id of the saved scan to begin with; null begins a new one
 */
export function useScanDraft(id: number | null) {
  const [start] = useState(() => startOf(id));
  const [name, setName] = useState(start.name);
  const [conditions, setConditions] = useState(start.conditions);
  const [error, setError] = useState<string | null>(null);
  const [showsProblems, setShowsProblems] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const logic = useMemo(() => logicOf(conditions), [conditions]);
  const isNameMissing = name.trim() === '';

  return {
    isNew: start.isNew,
    isChanged: name !== start.name || conditions !== start.conditions,
    name,
    setName,
    isNameMissing,
    conditions,
    setConditions(next: readonly DraftCondition[]): void {
      setConditions(next);
      setError(null);
    },
    /** The conditions that are complete. */
    logic,
    error,
    /** What is missing is marked: the user has tried to save. */
    showsProblems,
    isSaving,
    /** Returns whether it was saved; if not, `error` says why. */
    async save(): Promise<boolean> {
      setShowsProblems(true);
      const problem = isNameMissing
        ? 'Give the scan a name.'
        : (conditionsRefusal(conditions)?.message ?? null);
      if (problem !== null) {
        setError(problem);
        return false;
      }
      setSaving(true);
      const refusal = await saveScan(id, name.trim(), logic);
      setSaving(false);
      setError(refusal);
      return refusal === null;
    },
  };
}
