import { DASH, formatDate, formatTime } from '#texts/format.ts';
import { humanSize } from '#lib/humanSize.ts';
import { Button } from '#ui/Button.tsx';
import { Pill } from '#ui/Pill.tsx';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import type { RecordingRow } from '#admin/recordings/answers/recordings.ts';

const HEADINGS = ['Name', 'Session', 'Recorded', 'Source', 'Size', 'State', 'Actions'];

type RecordingsTableProps = {
  recordings: readonly RecordingRow[];
  /** The one that is played; null when none is. */
  played: string | null;
  /** Null where none can be played from here. */
  onPlay: ((name: string) => void) | null;
  onDownload(name: string): void;
  onDelete(name: string): void;
};

function State({ isCutOff, problem }: RecordingRow) {
  if (problem !== null) return <span className="recording-problem">{problem}</span>;
  if (!isCutOff) return <Pill variant="up">Complete</Pill>;
  return <Pill variant="warn">Cut off: plays up to there</Pill>;
}

/** Each recording with its session, span and size, newest first. */
export function RecordingsTable({ recordings, played, onPlay, onDownload, onDelete }: RecordingsTableProps) {
  return (
    <RecordTable label="Recordings" headings={HEADINGS}>
      {recordings.map((row) => (
        <tr key={row.name}>
          <th scope="row">{row.name}</th>
          <td data-heading="Session" data-taken={row.date ?? undefined}>
            {row.date === null ? DASH : formatDate(row.date)}
          </td>
          <td data-heading="Recorded">
            {row.from === null ? DASH : `${formatTime(row.from)} to ${formatTime(row.until)}`}
          </td>
          <td data-heading="Source">{row.source ?? DASH}</td>
          <td data-heading="Size" data-taken={row.size}>
            {humanSize(row.size)}
          </td>
          <td data-heading="State">
            <State {...row} />
          </td>
          <td className="record-actions">
            {onPlay !== null && row.problem === null && row.name !== played && (
              <Button aria-label={`Play ${row.name}`} onClick={() => onPlay(row.name)}>
                Play
              </Button>
            )}
            <Button aria-label={`Download ${row.name}`} onClick={() => onDownload(row.name)}>
              Download
            </Button>
            <Button aria-label={`Delete ${row.name}`} onClick={() => onDelete(row.name)}>
              Delete
            </Button>
          </td>
        </tr>
      ))}
    </RecordTable>
  );
}
