import { type ReactNode, useState } from 'react';
import { SCANNER_KEYS, SCANNERS, type ScannerKey } from '#market/scanners/rules/scanners.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { NativeSelect } from '#ui/Field.tsx';

type CopyLayoutDialogProps = {
  /** The scanner whose columns are copied. */
  from: ScannerKey;
  onCopy(to: ScannerKey): void;
  onClose(): void;
};

/** Chooses the scanner that gets the columns of another. Import it lazily: it brings Base UI along. */
export function CopyLayoutDialog({ from, onCopy, onClose }: CopyLayoutDialogProps): ReactNode {
  const others = SCANNER_KEYS.filter((key) => key !== from);
  const [to, setTo] = useState(others[0] ?? from);
  return (
    <DialogSheet
      open
      width="narrow"
      title="Copy layout"
      description={`The columns of ${SCANNERS[from].tab}, their order and their looks replace those of the other scanner.`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            onClick={() => {
              onCopy(to);
              onClose();
            }}
          >
            Copy
          </Button>
        </>
      }
    >
      <NativeSelect
        label="Copy layout to"
        value={to}
        options={others.map((key) => ({ id: key, label: SCANNERS[key].tab }))}
        onChoose={setTo}
      />
    </DialogSheet>
  );
}
