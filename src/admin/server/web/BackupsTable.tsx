import type { BackupKind } from '../../backups/rules/backupName.ts';
import { humanSize } from '../../../lib/humanSize.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { Pill } from '../../../../web/ui/Pill.tsx';
import { RecordTable } from '../../web/parts/RecordTable.tsx';
import { whenText } from '../../web/parts/whenText.ts';
import type { BackupRow } from './readBackups.ts';

const KINDS: Readonly<Record<BackupKind, string>> = {
  nightly: 'Nightly',
  manual: 'By hand',
  migration: 'Before a new version',
};

const HEADINGS = ['Made', 'Age', 'Kind', 'Size', 'Checked', 'Actions'];

const HOUR_MS = 3_600_000;

/** '5 hours', '3 days'. @param ms none is below 0, whatever the clocks say */
export function ageText(ms: number): string {
  const hours = Math.floor(Math.max(0, ms) / HOUR_MS);
  if (hours < 1) return 'less than an hour';
  if (hours < 48) return hours === 1 ? '1 hour' : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}

type BackupsTableProps = {
  backups: readonly BackupRow[];
  /** @param name of the one that is wanted */
  onDownload(name: string): void;
};

/** Each backup with its age, kind and size, newest first. */
export function BackupsTable({ backups, onDownload }: BackupsTableProps) {
  const now = Date.now();
  return (
    <RecordTable label="Backups" headings={HEADINGS}>
      {backups.map(({ name, madeAt, kind, size, checked }) => (
        <tr key={name}>
          <th scope="row" title={name}>
            {whenText(madeAt)}
          </th>
          <td data-heading="Age">{ageText(now - madeAt)}</td>
          <td data-heading="Kind">{KINDS[kind]}</td>
          <td data-heading="Size">{humanSize(size)}</td>
          <td data-heading="Checked">
            {checked ? <Pill variant="up">Checked</Pill> : <span className="muted">Not checked</span>}
          </td>
          <td className="record-actions">
            <Button aria-label={`Download ${name}`} onClick={() => onDownload(name)}>
              Download
            </Button>
          </td>
        </tr>
      ))}
    </RecordTable>
  );
}
