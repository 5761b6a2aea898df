import PlusIcon from 'lucide-react/icons/plus';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import {
  type DraftCondition,
  draftOf,
  draftProblem,
  listProblem,
  logicOf,
  moveCondition,
} from '../../../../../src/domain/conditions/draft.ts';
import { loadCatalogs, platformCatalog } from '../../../../shared/indicators/catalog.ts';
import { stocks } from '../../../../shared/live/market.ts';
import { Banner } from '../../../../ui/Banner.tsx';
import { Button } from '../../../../ui/Button.tsx';
import { DialogSheet } from '../../../../ui/DialogSheet.tsx';
import { TextField } from '../../../../ui/TextField.tsx';
import { AddIndicatorDialog } from '../../../../shared/indicators/AddIndicatorDialog.tsx';
import { operandsOfPicked } from '../../../../shared/conditions/operands.ts';
import {
  addDraftRefs,
  changeError,
  dismissChangeError,
  refs,
  dropDraftRefs,
  saveScan,
  scans,
} from '../state.ts';
import { ConditionRow } from '../../../../shared/conditions/ConditionRow.tsx';
import { Preview } from './Preview.tsx';
import { CatalogProblem } from '../../../../shared/indicators/CatalogProblem.tsx';

type Side = 'lhs' | 'rhs';
type ScanEditorProps = {
  /** The scan to change; null makes a new one. */
  id: number | null;
  onClose(): void;
};

const blank = (id: number): DraftCondition => ({
  id,
  lhs: { type: 'field', key: 'last' },
  op: '>',
  rhs: null,
});

/** Builds a scan out of conditions, showing all the while what it would find. */
export function ScanEditor({ id, onClose }: ScanEditorProps): ReactNode {
  const scan = useMemo(() => scans.peek()?.find((one) => one.id === id) ?? null, [id]);
  const start = useMemo(() => (scan ? draftOf(scan.logic) : [blank(0)]), [scan]);
  const [name, setName] = useState(scan?.name ?? '');
  const [conditions, setConditions] = useState<readonly DraftCondition[]>(start);
  const [error, setError] = useState<string | null>(null);
  const [showsProblems, setShowsProblems] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [picking, setPicking] = useState<{ condition: number; side: Side } | null>(null);
  const nextId = useRef(start.length);
  const body = useRef<HTMLDivElement>(null);
  const catalog = platformCatalog.value?.catalog ?? null;
  useEffect(() => {
    void loadCatalogs();
    return () => void dropDraftRefs();
  }, []);

  const logic = useMemo(() => logicOf(conditions), [conditions]);
  const isChanged = name !== (scan?.name ?? '') || conditions !== start;
  const change = (next: readonly DraftCondition[]) => {
    setConditions(next);
    setError(null);
    setLeaving(false);
  };
  const put = (condition: number, part: Partial<DraftCondition>) =>
    change(conditions.map((one) => (one.id === condition ? { ...one, ...part } : one)));
  const close = () => {
    if (isBusy) return;
    if (isChanged && !isLeaving) setLeaving(true);
    else onClose();
  };
  const save = async () => {
    setShowsProblems(true);
    const problem = name.trim() === '' ? 'Give the scan a name.' : listProblem(conditions);
    const isWhole = conditions.every((one) => draftProblem(one) === null);
    if (problem !== null || !isWhole) {
      setError(problem ?? 'Complete the marked conditions.');
      queueMicrotask(() => body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setBusy(true);
    const refused = await saveScan(id, name.trim(), logic);
    setBusy(false);
    setError(refused);
    if (refused === null) onClose();
  };

  return (
    <DialogSheet
      open
      width="wide"
      title={scan ? 'Edit scan' : 'New scan'}
      onClose={close}
      footer={
        isLeaving ? (
          <>
            <span className="scan-leaving" role="alert">
              The changes are not saved.
            </span>
            <Button onClick={() => setLeaving(false)}>Keep editing</Button>
            <Button look="danger" onClick={onClose}>
              Discard
            </Button>
          </>
        ) : (
          <>
            <Button disabled={isBusy} onClick={close}>
              Cancel
            </Button>
            <Button look="primary" disabled={isBusy} onClick={() => void save()}>
              {isBusy ? 'Saving…' : 'Save'}
            </Button>
          </>
        )
      }
    >
      <div className="scan-editor" ref={body}>
        <TextField
          label="Name"
          value={name}
          maxLength={60}
          // A new scan begins with its name.
          autoFocus={scan === null}
          aria-invalid={(showsProblems && name.trim() === '') || undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <CatalogProblem />
        {changeError.value && <Banner onDismiss={dismissChangeError}>{changeError.value}</Banner>}
        <ol className="conditions" aria-label="Conditions, all of which must hold">
          {conditions.map((one, index) => (
            <ConditionRow
              key={one.id}
              index={index}
              count={conditions.length}
              condition={one}
              chosen={refs.value}
              catalog={catalog}
              stocks={stocks.value}
              showsProblems={showsProblems}
              onChange={(part) => put(one.id, part)}
              onPick={(side) => setPicking({ condition: one.id, side })}
              onMove={(by) => change(moveCondition(conditions, index, by))}
              onRemove={() => change(conditions.filter((other) => other.id !== one.id))}
            />
          ))}
        </ol>
        <Button
          onClick={() => {
            change([...conditions, blank(nextId.current)]);
            nextId.current += 1;
          }}
        >
          <PlusIcon size={15} aria-hidden />
          Add condition
        </Button>
        <p className="form-error" role="alert">
          {error}
        </p>
        <Preview logic={logic} stocks={stocks.value} catalog={catalog} />
      </div>
      {picking && (
        <AddIndicatorDialog
          open
          several={false}
          onClose={() => setPicking(null)}
          onAdd={(picked) => {
            const [operand] = operandsOfPicked(picked, catalog);
            if (!operand) return;
            put(picking.condition, { [picking.side]: operand });
            if (operand.type !== 'field') void addDraftRefs([operand]);
          }}
        />
      )}
    </DialogSheet>
  );
}
