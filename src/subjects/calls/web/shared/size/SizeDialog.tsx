import type { ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { LimitFields } from './LimitFields.tsx';
import { chooseSize, sizeChoices } from './sizeChoices.ts';

const DESCRIPTION =
  'With a risk, a chart tells how many shares may be bought at the last price with a stop at the price you point at.';

/** Sets the limits that charts compute sizes by. Import it lazily: it brings Base UI along. */
export function SizeDialog({ onClose }: { onClose(): void }): ReactNode {
  const { risk } = sizeChoices.value;
  return (
    <DialogSheet
      open
      title="Position size"
      description={DESCRIPTION}
      onClose={onClose}
      footer={
        <>
          <Button
            disabled={risk === null}
            onClick={() => {
              chooseSize({ risk: null });
              onClose();
            }}
          >
            Show no size
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="stack">
        <LimitFields wrong={null} />
        <p className="muted table-text">Kept in this browser. The size is a sum, not advice.</p>
      </div>
    </DialogSheet>
  );
}
