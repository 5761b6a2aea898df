import { type ReactNode, useState } from 'react';
import type { FormatChange } from '#subjects/scanners/rules/columnEditor.ts';
import type { ColumnEntry } from '#market/scanners/rules/columnList.ts';
import { canBeShort, MAX_DECIMALS } from '#market/scanners/rules/columnFormat.ts';
import { DECIMALS } from '#market/scanners/rules/columns.ts';
import { type ScannerKey, SCANNER_KEYS, SCANNERS } from '#market/scanners/rules/scanners.ts';
import { columnOf } from '#subjects/scanners/rules/shownColumns.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { NativeSelect, SwitchField } from '#ui/Field.tsx';
import '../scanners.css';

type ColumnFormatDialogProps = {
  tableKey: ScannerKey;
  entry: ColumnEntry;
  /** Each choice applies immediately. */
  onChange(format: FormatChange): void;
  onClose(): void;
};

const DEFAULT = 'default';
const PRICE = 'price';
const COUNTS = Array.from({ length: MAX_DECIMALS + 1 }, (_, count) => String(count));

const optionsFor = (decimals: number) => [
  { id: DEFAULT, label: `Default (${decimals})` },
  { id: PRICE, label: `Same as the price (${DECIMALS.price})` },
  ...COUNTS.map((count) => ({ id: count, label: count })),
];

const decimalsOf = (choice: string): FormatChange['decimals'] =>
  choice === DEFAULT ? undefined : choice === PRICE ? PRICE : Number(choice);

export function ColumnFormatDialog({
  tableKey,
  entry,
  onChange,
  onClose,
}: ColumnFormatDialogProps): ReactNode {
  const { decimals, short, width, ...plain } = entry;
  const column = columnOf(tableKey, plain);
  if (!column) return null;
  const isShort = short === true && canBeShort(column.kind);
  return (
    <DialogSheet
      open
      width="narrow"
      title={`Format ${entry.label}`}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="stack">
        <NativeSelect
          label="Decimals"
          value={decimals === undefined ? DEFAULT : String(decimals)}
          options={optionsFor(column.decimals)}
          disabled={isShort}
          onChoose={(choice) => onChange({ decimals: decimalsOf(choice) })}
        />
        {canBeShort(column.kind) && (
          <SwitchField
            label="Short numbers, such as 278.0 B"
            value={isShort}
            onChange={(next) => onChange({ short: next || undefined })}
          />
        )}
        {width !== undefined && (
          <Button className="fit" onClick={() => onChange({ width: undefined })}>
            Default width
          </Button>
        )}
      </div>
    </DialogSheet>
  );
}

type CopyLayoutDialogProps = {
  from: ScannerKey;
  onCopy(to: ScannerKey): void;
  onClose(): void;
};

export function CopyLayoutDialog({ from, onCopy, onClose }: CopyLayoutDialogProps): ReactNode {
  const others = SCANNER_KEYS.filter((key) => key !== from);
  const [to, setTo] = useState(others[0] ?? from);
  return (
    <DialogSheet
      open
      width="narrow"
      title="Copy layout"
      description={`The columns of ${SCANNERS[from].tab}, their order and their format replace those of the other scanner.`}
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
