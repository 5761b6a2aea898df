import CopyIcon from 'lucide-react/icons/copy';
import PencilIcon from 'lucide-react/icons/pencil';
import PlusIcon from 'lucide-react/icons/plus';
import SigmaIcon from 'lucide-react/icons/sigma';
import TrashIcon from 'lucide-react/icons/trash-2';
import { lazy, type ReactNode, type RefObject, Suspense, useId, useRef, useState } from 'react';
import { AlertBell, type BellState } from '../parts/AlertBell.tsx';
import { ToolbarButton } from '../parts/ToolbarButton.tsx';
import type { ScanView } from '#subjects/conditions/rules/savedScan.ts';
import { activateScan, activeScan, duplicateScan, removeScan, scans, selectedIndicators } from './state.ts';

const ConfirmDialog = lazy(() =>
  import('#ui/ConfirmDialog.tsx').then((code) => ({ default: code.ConfirmDialog })),
);

type ScanBarProps = {
  /** How many stocks match, in words; null without a scan. */
  count: string | null;
  /** The scan reads something that no stock has a value of yet. */
  isWaiting: boolean;
  bell: BellState;
  onAlert(): void;
  onNew(): void;
  onEdit(id: number): void;
  onIndicators(): void;
};

const ALL_STOCKS = '';

/** Chooses the scan that filters, edits it, and says how many stocks match. */
export function ScanBar({ count, isWaiting, onNew, onIndicators, ...actions }: ScanBarProps): ReactNode {
  const scan = activeScan.value;
  const select = useRef<HTMLSelectElement>(null);
  const isLoading = scans.value === null;
  const selected = selectedIndicators.value.length;
  return (
    <div className="scan-bar cluster line-below" role="toolbar" aria-label="Saved scans">
      <ScanSelect selectRef={select} />
      <ToolbarButton label="New scan" icon={<PlusIcon size={15} />} disabled={isLoading} onClick={onNew} />
      {scan && <ScanActions scan={scan} {...actions} onDeleted={() => select.current?.focus()} />}
      <ToolbarButton
        label={selected === 0 ? 'Indicators' : `Indicators (${selected})`}
        icon={<SigmaIcon size={14} />}
        disabled={isLoading}
        onClick={onIndicators}
      />
      {count !== null && (
        <span className="flex-none push table-text">
          {count}
          {isWaiting && <span className="muted">, waiting for values</span>}
        </span>
      )}
    </div>
  );
}

function ScanSelect({ selectRef }: { selectRef: RefObject<HTMLSelectElement | null> }): ReactNode {
  const list = scans.value;
  const scan = activeScan.value;
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="flex-none muted table-text">
        Scan
      </label>
      <select
        id={id}
        ref={selectRef}
        className="input is-small scan-select"
        title={scan?.name}
        value={scan ? String(scan.id) : ALL_STOCKS}
        disabled={list === null}
        onChange={({ target }) => activateScan(target.value === ALL_STOCKS ? null : Number(target.value))}
      >
        <option value={ALL_STOCKS}>All stocks</option>
        {list?.map((saved) => (
          <option key={saved.id} value={String(saved.id)}>
            {saved.name}
          </option>
        ))}
      </select>
    </>
  );
}

type ScanActionsProps = Pick<ScanBarProps, 'bell' | 'onAlert' | 'onEdit'> & {
  scan: ScanView;
  /** The scan is gone, and these actions with it. */
  onDeleted(): void;
};

/** What can be done with the scan that filters. */
function ScanActions({ scan, bell, onAlert, onEdit, onDeleted }: ScanActionsProps): ReactNode {
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <ToolbarButton label="Edit" icon={<PencilIcon size={14} />} onClick={() => onEdit(scan.id)} />
      <ToolbarButton
        label="Duplicate"
        icon={<CopyIcon size={14} />}
        onClick={() => void duplicateScan(scan)}
      />
      <AlertBell state={bell} onAlert={onAlert} />
      <ToolbarButton label="Delete" icon={<TrashIcon size={14} />} onClick={() => setDeleting(true)} />
      {isDeleting && <DeleteDialog scan={scan} onAnswered={() => setDeleting(false)} onDeleted={onDeleted} />}
    </>
  );
}

type DeleteDialogProps = { scan: ScanView; onAnswered(): void; onDeleted(): void };

function DeleteDialog({ scan, onAnswered, onDeleted }: DeleteDialogProps): ReactNode {
  return (
    <Suspense fallback={null}>
      <ConfirmDialog
        open
        title="Delete scan"
        action="Delete"
        onConfirm={() => {
          onAnswered();
          void removeScan(scan.id).then((isGone) => isGone && onDeleted());
        }}
        onCancel={onAnswered}
      >
        <p>
          Delete scan “{scan.name}”? This can’t be undone. Alerts that use it stay, but it no longer makes
          them fire.
        </p>
      </ConfirmDialog>
    </Suspense>
  );
}
