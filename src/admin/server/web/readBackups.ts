import type { BackupKind } from '../../backups/rules/backupName.ts';
import {
  readBoolean,
  readChoice,
  readList,
  readNumber,
  readRecord,
  readText,
  readTime,
} from '../../../lib/read.ts';
import { ApiError, NETWORK_ERROR, readAnswer } from '../../../../web/api/client.ts';

export type BackupRow = {
  name: string;
  kind: BackupKind;
  /** Bytes. */
  size: number;
  /** Epoch ms. */
  madeAt: number;
  checked: boolean;
};

export type BackupsView = {
  backups: BackupRow[];
  /** How far the one is that is being made, 0 to 1; null when none is. */
  progress: number | null;
  /** Why the last one failed, and when; null when it did not. */
  failure: { at: number | null; reason: string } | null;
  /** Bytes; null when the server does not tell. */
  free: number | null;
  isDiskLow: boolean;
  nextNightly: number | null;
};

const readKind = readChoice<BackupKind>(['nightly', 'manual', 'migration']);

function readRow(value: unknown): BackupRow | null {
  const row = readRecord(value);
  const name = readText(row.name);
  const madeAt = readTime(row.madeAt);
  if (!name || madeAt === null) return null;
  return {
    name,
    kind: readKind(row.kind) ?? 'manual',
    size: readNumber(row.size) ?? 0,
    madeAt,
    checked: readBoolean(row.checked) ?? false,
  };
}

/** GET /admin/backups. */
export function readBackups(body: unknown): BackupsView {
  const answer = readAnswer(body);
  const disk = readRecord(answer.disk);
  const failure = readRecord(answer.failure);
  const reason = readText(failure.reason);
  const isRunning = answer.running !== null && answer.running !== undefined;
  return {
    backups: readList(answer.backups, readRow),
    progress: isRunning ? (readNumber(readRecord(answer.running).progress) ?? 0) : null,
    failure: reason ? { at: readTime(failure.at), reason } : null,
    free: readNumber(disk.free),
    isDiskLow: readBoolean(disk.low) ?? false,
    nextNightly: readTime(answer.nextNightly),
  };
}

/** POST /admin/backups/:name/download. @throws ApiError when it gives no address on this server */
export function readDownload(body: unknown): { url: string } {
  const url = readText(readAnswer(body).url);
  if (!url?.startsWith('/api/')) throw new ApiError(NETWORK_ERROR, 502, body);
  return { url };
}
