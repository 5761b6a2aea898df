import CopyIcon from 'lucide-react/icons/copy';
import PencilIcon from 'lucide-react/icons/pencil';
import PlusIcon from 'lucide-react/icons/plus';
import SigmaIcon from 'lucide-react/icons/sigma';
import TrashIcon from 'lucide-react/icons/trash-2';
import { type ComponentProps, lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { formatNumber } from '../../../../src/domain/format.ts';
import { activate, activeScan, duplicateScan, refs, removeScan, scans } from './state.ts';

const ConfirmDialog = lazy(() =>
  import('../../../ui/ConfirmDialog.tsx').then((code) => ({ default: code.ConfirmDialog })),
);

type ScanBarProps = {
  /** How many stocks match; null without a scan. */
  count: number | null;
  total: number;
  /** The scan reads something that no stock has a value of yet. */
  isWaiting: boolean;
  onNew(): void;
  onEdit(id: number): void;
  onIndicators(): void;
};

const ALL = '';

/** Chooses a saved scan and what to do with it. */
export function ScanBar({ count, total, isWaiting, onNew, onEdit, onIndicators }: ScanBarProps): ReactNode {
  const list = scans.value;
  const scan = activeScan.value;
  const [isDeleting, setDeleting] = useState(false);
  const selectId = useId();
  const chosen = refs.value.length;
  return (
    <div className="scan-bar" role="toolbar" aria-label="Saved scans">
      <label htmlFor={selectId} className="scan-label">
        Scan
      </label>
      <select
        id={selectId}
        className="input select scan-select"
        value={scan ? String(scan.id) : ALL}
        disabled={list === null}
        onChange={(event) => activate(event.target.value === ALL ? null : Number(event.target.value))}
      >
        <option value={ALL}>All stocks</option>
        {list?.map(({ id, name }) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
      </select>
      <Action
        label="New scan"
        icon={<PlusIcon size={15} aria-hidden />}
        disabled={list === null}
        onClick={onNew}
      />
      {scan && (
        <>
          <Action label="Edit" icon={<PencilIcon size={14} aria-hidden />} onClick={() => onEdit(scan.id)} />
          <Action
            label="Duplicate"
            icon={<CopyIcon size={14} aria-hidden />}
            onClick={() => void duplicateScan(scan)}
          />
          <Action
            label="Delete"
            icon={<TrashIcon size={14} aria-hidden />}
            onClick={() => setDeleting(true)}
          />
        </>
      )}
      <Action
        label={chosen === 0 ? 'Indicators' : `Indicators (${chosen})`}
        icon={<SigmaIcon size={14} aria-hidden />}
        disabled={list === null}
        onClick={onIndicators}
      />
      {count !== null && (
        <span className="scan-count">
          {formatNumber(count, 0)} of {formatNumber(total, 0)} match
          {isWaiting && <span className="muted">, waiting for values</span>}
        </span>
      )}
      {scan && isDeleting && (
        <Suspense fallback={null}>
          <ConfirmDialog
            open
            title="Delete scan"
            action="Delete"
            onConfirm={() => {
              setDeleting(false);
              void removeScan(scan.id);
            }}
            onCancel={() => setDeleting(false)}
          >
            <p>Delete scan “{scan.name}”? It can’t be brought back.</p>
          </ConfirmDialog>
        </Suspense>
      )}
    </div>
  );
}

type ActionProps = Omit<ComponentProps<'button'>, 'children'> & { label: string; icon: ReactNode };

function Action({ label, icon, ...rest }: ActionProps): ReactNode {
  return (
    <button type="button" className="filter-action" title={label} aria-label={label} {...rest}>
      {icon}
      <span className="filter-action-label">{label}</span>
    </button>
  );
}
