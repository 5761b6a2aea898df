import { DASH } from '../../../texts/format.ts';
import { formatAge } from '../../../texts/moment.ts';
import { humanSize } from '../../../lib/humanSize.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { Pill } from '../../../../web/ui/Pill.tsx';
import { RecordTable } from '../../web/parts/RecordTable.tsx';
import type { LogFile } from './readLogs.ts';

type LogListProps = {
  logs: readonly LogFile[];
  /** Whose end is shown below. */
  shown: string | null;
  /** Epoch ms, to tell the ages by. */
  now: number;
  isBusy: boolean;
  onShow(name: string): void;
  onDownload(name: string): void;
  onClear(name: string): void;
};

/** The files with their size and age, and what can be done with each. */
export function LogList({ logs, shown, now, isBusy, onShow, onDownload, onClear }: LogListProps) {
  return (
    <RecordTable label="Log files" headings={['File', 'Size', 'Changed', 'Actions']} isBusy={isBusy}>
      {logs.map(({ name, size, mtimeMs, isCurrent }) => (
        <tr key={name}>
          <th scope="row">
            {name} {isCurrent && <Pill>In use</Pill>}
          </th>
          <td data-heading="Size">{size === null ? DASH : humanSize(size)}</td>
          <td data-heading="Changed">{mtimeMs === null ? DASH : formatAge(now - mtimeMs)}</td>
          <td className="record-actions">
            <Button aria-label={`View ${name}`} aria-pressed={name === shown} onClick={() => onShow(name)}>
              View
            </Button>
            <Button aria-label={`Download ${name}`} onClick={() => onDownload(name)}>
              Download
            </Button>
            <Button variant="danger" aria-label={`Clear ${name}`} onClick={() => onClear(name)}>
              Clear
            </Button>
          </td>
        </tr>
      ))}
    </RecordTable>
  );
}
