import { useMemo, useState } from 'react';
import {
  conditionsRefusal,
  type DraftCondition,
  draftOf,
  logicOf,
  newCondition,
} from '#subjects/conditions/rules/draft.ts';
import type { ScanLists } from '#subjects/conditions/rules/scanLists.ts';
import { checkScanName } from '#subjects/conditions/rules/savedScan.ts';
import { failed, type Refusal, type Result } from '#lib/result.ts';
import { keptInput } from '#subjects/accounts/web/shared/session/interruption.ts';
import { useHeldInput } from '#subjects/accounts/web/shared/session/useHeldInput.ts';
import { saveScan, scans } from '../state.ts';

type Typed = { name: string; conditions: readonly DraftCondition[]; lists: ScanLists | null };
type Start = Typed & { isNew: boolean };

export type ScanDraft = ReturnType<typeof useScanDraft>;

type KeptScan = Typed & { id: number | null };

/** What was typed of this scan when a session ended under the editor; null when nothing was. */
function keptScan(id: number | null): KeptScan | null {
  const kept = keptInput('scan') as KeptScan | undefined;
  return kept?.id === id ? kept : null;
}

function startOf(id: number | null, isKept: boolean): Start {
  // Its scans may not be loaded yet.
  if (isKept) return { isNew: id === null, name: '', conditions: [], lists: null };
  const scan = scans.peek()?.find((one) => one.id === id);
  return scan
    ? { isNew: false, name: scan.name, conditions: draftOf(scan.logic), lists: scan.lists }
    : { isNew: true, name: '', conditions: [newCondition([])], lists: null };
}

/** The name of a scan that may be sent, trimmed; or what is wrong with the name or the conditions. */
function checkDraft(typed: string, conditions: readonly DraftCondition[]): Result<string> {
  const name = checkScanName(typed);
  if (!name.ok) return name;
  const refusal = conditionsRefusal(conditions);
  return refusal ? failed(refusal) : name;
}

/** The name and conditions of a scan as they are typed, from the saved ones or those that a session ended under. */
function useTypedScan(id: number | null) {
  const [kept] = useState(() => keptScan(id));
  const [start] = useState(() => startOf(id, kept !== null));
  const [name, setName] = useState(kept?.name ?? start.name);
  const [conditions, setConditions] = useState(kept?.conditions ?? start.conditions);
  const [lists, setLists] = useState(kept?.lists ?? start.lists);
  const isChanged = name !== start.name || conditions !== start.conditions || lists !== start.lists;
  useHeldInput('scan', isChanged ? ({ id, name, conditions, lists } satisfies KeptScan) : undefined);
  return { isNew: start.isNew, isChanged, name, setName, conditions, setConditions, lists, setLists };
}

/** Calls for a change, and then for what else a change means. */
const changing =
  <T>(set: (next: T) => void, also: () => void) =>
  (next: T): void => {
    set(next);
    also();
  };

/**
 * A scan while it is edited: its name and conditions, what is wrong with them, and its saving.
 * @param id of the saved scan to begin with; null begins a new one
 */
export function useScanDraft(id: number | null) {
  const { isNew, isChanged, name, conditions, lists, ...typed } = useTypedScan(id);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [showsProblems, setShowsProblems] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const logic = useMemo(() => logicOf(conditions), [conditions]);
  const forgive = (): void => setRefusal(null);
  return {
    isNew,
    isChanged,
    name,
    conditions,
    setName: changing<string>(typed.setName, forgive),
    setConditions: changing<readonly DraftCondition[]>(typed.setConditions, forgive),
    /** Whose stocks it looks at; null for all. */
    lists,
    setLists: changing<ScanLists | null>(typed.setLists, forgive),
    /** The conditions that are complete. */
    logic,
    /** Why it was not saved, by a rule of the form or by the server; null while nothing was refused. */
    refusal,
    /** What is missing is marked: the user has tried to save. */
    showsProblems,
    isSaving,
    /** Returns whether it was saved; if not, `refusal` says why. */
    async save(): Promise<boolean> {
      setShowsProblems(true);
      const checked = checkDraft(name, conditions);
      setRefusal(checked.ok ? null : checked.error);
      if (!checked.ok) return false;
      setSaving(true);
      const refused = await saveScan(id, { name: checked.value, logic, lists });
      setSaving(false);
      setRefusal(refused);
      return refused === null;
    },
  };
}
