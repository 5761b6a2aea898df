import type { ReactNode } from 'react';
import { alertCount, namedFew } from '../../../rules/manyAlerts.ts';
import { ConfirmDialog } from '../../../../../../web/ui/ConfirmDialog.tsx';
import { type AlertRow, calledOf } from './alertRows.ts';

type DeleteManyDialogProps = { rows: readonly AlertRow[]; onConfirm(): void; onCancel(): void };

/** Asks before several alerts and their history are deleted. */
export function DeleteManyDialog({ rows, onConfirm, onCancel }: DeleteManyDialogProps): ReactNode {
  const count = alertCount(rows.length);
  return (
    <ConfirmDialog
      open
      title={`Delete ${count}?`}
      action={`Delete ${count}`}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>{namedFew(rows.map(calledOf))}.</p>
      <p>{rows.length === 1 ? 'Its' : 'Their'} history goes too.</p>
    </ConfirmDialog>
  );
}
