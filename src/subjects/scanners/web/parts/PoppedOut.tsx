import type { ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import './PoppedOut.css';

export type PoppedOutProps = { onFocus(): void; onClose(): void };

/** Stands in the main window while a popup shows the scanner. */
export function PoppedOut({ onFocus, onClose }: PoppedOutProps): ReactNode {
  return (
    <EmptyState
      action={
        <div className="popped-out-actions">
          <Button variant="primary" onClick={onFocus}>
            Focus Window
          </Button>
          <Button onClick={onClose}>Close &amp; Show Here</Button>
        </div>
      }
    >
      This scanner is currently open in a separate window
    </EmptyState>
  );
}
