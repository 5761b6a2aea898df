import { readBoolean, readList, readNumber, readRecord, readText, readTime } from '../../../lib/read.ts';
import { readAnswer } from '../../../../web/api/client.ts';

/** A recording as the panel shows it; null is what is not known. Times are epoch ms on the recorded market's clock. */
export type RecordingRow = {
  name: string;
  /** Bytes. */
  size: number;
  /** YYYY-MM-DD. */
  date: string | null;
  source: string | null;
  from: number | null;
  until: number | null;
  isCutOff: boolean;
  /** Why it can't be played; null when it can. */
  problem: string | null;
};

export type RecordingsView = {
  recordings: RecordingRow[];
  running: { name: string; size: number; from: number | null; until: number | null } | null;
  /** Why the last one ended by itself. */
  failure: { name: string; reason: string } | null;
  /** Bytes; null when the server does not tell. */
  free: number | null;
  isDiskLow: boolean;
  /** What is played because it was chosen here, and the words for the source it stands in for. */
  playing: { name: string; instead: string } | null;
  /** Why none can be played from here; null when one can. */
  noPlay: string | null;
  suggestion: string;
};

function readRow(value: unknown): RecordingRow | null {
  const row = readRecord(value);
  const name = readText(row.name);
  if (!name) return null;
  return {
    name,
    size: readNumber(row.size) ?? 0,
    date: readText(row.date),
    source: readText(row.source),
    from: readTime(row.from),
    until: readTime(row.until),
    isCutOff: readBoolean(row.isCutOff) ?? false,
    problem: readText(row.problem),
  };
}

/** GET /admin/recordings. */
export function readRecordings(body: unknown): RecordingsView {
  const answer = readAnswer(body);
  const running = readRow(answer.running);
  const failure = readRecord(answer.failure);
  const reason = readText(failure.reason);
  const playing = readRecord(answer.playing);
  const played = readText(playing.name);
  const disk = readRecord(answer.disk);
  return {
    recordings: readList(answer.recordings, readRow),
    running,
    failure: reason ? { name: readText(failure.name) ?? '', reason } : null,
    free: readNumber(disk.free),
    isDiskLow: readBoolean(disk.low) ?? false,
    playing: played ? { name: played, instead: readText(playing.instead) || 'the market' } : null,
    noPlay: readText(answer.noPlay) || null,
    suggestion: readText(answer.suggestion) ?? '',
  };
}
