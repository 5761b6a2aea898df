import type { Wire } from '#lib/contract/fields.ts';
import { misfitOf } from '#lib/contract/misfit.ts';
import { isRecord, jsonExcess, MAX_JSON_DEPTH } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { quoted } from '#lib/wording.ts';
import {
  MAX_TRANSFER_MB,
  MAX_TRANSFER_VALUES,
  TRANSFER_FORMAT,
  TRANSFER_VERSION,
  transferFile,
} from '../answers/file.ts';

export type TransferFile = Wire<typeof transferFile>;

export const TOO_LARGE = `The file is larger than ${MAX_TRANSFER_MB} MB. Nothing was imported.`;
export const NO_JSON = 'The file is damaged or is not a Bellbird file. Nothing was imported.';
export const TOO_NESTED = 'The file has more parts than a Bellbird file can have. Nothing was imported.';
export const NOT_OURS = 'This is not a Bellbird settings export. Choose another file. Nothing was imported.';
export const NEWER =
  'The file is from a newer version of Bellbird. Update this server, then try again. Nothing was imported.';

const MAX_TABLES = 20;
const damaged = (path: string): string => `The file is damaged at “${quoted(path)}”. Nothing was imported.`;
const tooMuch = (path: string): string =>
  `The file has more at “${quoted(path)}” than one user can have. Nothing was imported.`;

/** Parses a file, but refuses one that is too deep or too large before parsing. */
export function* parseTransfer(fileText: string): Generator<undefined, Result<unknown>> {
  const bounds = { maxDepth: MAX_JSON_DEPTH, maxCommas: MAX_TRANSFER_VALUES };
  if (jsonExcess(fileText, bounds) !== null) return refuse(TOO_NESTED);
  yield;
  try {
    return ok(JSON.parse(fileText) as unknown);
  } catch {
    return refuse(NO_JSON);
  }
}

/** Checks the form of a file; the rules of each subject check the content. */
export function checkTransferFile(value: unknown): Result<TransferFile> {
  if (!isRecord(value) || value['format'] !== TRANSFER_FORMAT) return refuse(NOT_OURS);
  const { version, columns } = value;
  if (typeof version === 'number' && version > TRANSFER_VERSION) return refuse(NEWER);
  if (version !== TRANSFER_VERSION) return refuse(damaged('version'));
  const known = Object.keys(transferFile.members);
  const foreign = Object.keys(value).find((name) => !known.includes(name));
  if (foreign !== undefined) return refuse(damaged(foreign));
  if (isRecord(columns) && Object.keys(columns).length > MAX_TABLES) return refuse(tooMuch('columns'));
  const misfit = misfitOf(transferFile.form, value);
  if (misfit) return refuse(misfit.isTooMuch ? tooMuch(misfit.path) : damaged(misfit.path));
  return ok(value as TransferFile);
}

export function countOf(file: TransferFile, kind: keyof TransferFile): number {
  const value: unknown = file[kind];
  if (value === undefined) return 0;
  if (kind === 'quietHours') return 1;
  if (kind === 'indicators') return Math.min(1, file.indicators?.length ?? 0);
  if (kind === 'follows') return (file.follows?.submitters.length ?? 0) + (file.follows?.muted.length ?? 0);
  if (kind === 'watchlists') {
    return (file.watchlists ?? []).reduce((sum, { items }) => sum + Math.max(1, items.length), 0);
  }
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : 0;
}
