import { readBoolean, readCount, readList, readNumber, readRecord, readText } from '../../../lib/read.ts';
import { readAnswer } from '../../../../web/api/client.ts';

/** A file of the logs folder; what is not known is null. */
export type LogFile = {
  name: string;
  /** Bytes. */
  size: number | null;
  /** Epoch ms of its last change. */
  mtimeMs: number | null;
  /** The server writes it. */
  isCurrent: boolean;
};

/** Lines of a file; `place` is where to go on from, null when the server does not say. */
export type Tail = {
  text: string;
  place: { file: string; after: number } | null;
  /** Lines are left out. */
  isCut: boolean;
  /** The file was emptied since. */
  isRestarted: boolean;
};

function readLog(value: unknown): LogFile | null {
  const log = readRecord(value);
  const name = readText(log['name']);
  if (!name) return null;
  return {
    name,
    size: readCount(log['size']),
    mtimeMs: readNumber(log['mtimeMs']),
    isCurrent: readBoolean(log['current']) ?? false,
  };
}

/** GET /admin/logs (specification 7.7). */
export const readLogs = (body: unknown): LogFile[] => readList(readAnswer(body)['logs'], readLog);

/** GET /admin/logs/{name}/tail (specification 7.7). */
export function readTail(body: unknown): Tail {
  const { text, file, end, cut, restarted } = readAnswer(body);
  const id = readText(file);
  const after = readCount(end);
  return {
    text: readText(text) ?? '',
    place: id && after !== null ? { file: id, after } : null,
    isCut: readBoolean(cut) ?? false,
    isRestarted: readBoolean(restarted) ?? false,
  };
}
