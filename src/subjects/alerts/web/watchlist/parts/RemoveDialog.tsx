import type { ReactNode } from 'react';
import { ConfirmDialog } from '../../../../../../web/ui/ConfirmDialog.tsx';

type RemoveDialogProps = { symbol: string; alerts: number; onConfirm(): void; onCancel(): void };

/** Asks before a symbol's alerts go with it. */
export function RemoveDialog({ symbol, alerts, onConfirm, onCancel }: RemoveDialogProps): ReactNode {
  const count = alerts === 1 ? '1 alert' : `${alerts} alerts`;
  return (
    <ConfirmDialog
      open
      title={`Remove ${symbol}?`}
      action={`Remove with ${count}`}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <p>
        {symbol} has {count}, which {alerts === 1 ? 'is' : 'are'} deleted with it.
      </p>
    </ConfirmDialog>
  );
}
