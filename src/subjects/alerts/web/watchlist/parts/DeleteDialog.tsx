import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../../../../web/ui/ConfirmDialog.tsx';

/** Asks before an alert and its history are deleted. */
export function DeleteDialog({ onConfirm, onCancel }: { onConfirm(): void; onCancel(): void }): ReactNode {
  return (
    <ConfirmDialog open title="Delete this alert?" action="Delete" onConfirm={onConfirm} onCancel={onCancel}>
      <p>Its history goes too.</p>
    </ConfirmDialog>
  );
}
