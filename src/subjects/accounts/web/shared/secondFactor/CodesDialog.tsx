import { useState } from 'react';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { FormError } from '#ui/FormError.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type CodesDialogProps = { title: string; codes: readonly string[]; onClose(): void };

/** Shows new recovery codes; the first try to close it before they were kept only says so. */
export function CodesDialog({ title, codes, onClose }: CodesDialogProps) {
  const [isKept, setKept] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const close = () => {
    if (isKept || isWarned) onClose();
    else setWarned(true);
  };
  return (
    <DialogSheet
      open
      title={title}
      width="narrow"
      onClose={close}
      footer={
        <Button variant="primary" onClick={close}>
          Done
        </Button>
      }
    >
      <RecoveryCodes codes={codes} onKept={() => setKept(true)} />
      <FormError>
        {isWarned && !isKept && 'You have not copied or downloaded them. Close again to go on without.'}
      </FormError>
    </DialogSheet>
  );
}
