import { DASH } from '../../../../texts/format.ts';
import { readCount, readIsoTime, readList, readRecord, readText } from '../../../../lib/read.ts';
import { readAnswer } from '../../../../../web/api/client.ts';

/** Something that an administrator did. */
export type AuditEntry = {
  id: number;
  at: string | null;
  /** Null for what the server did by itself. */
  by: string | null;
  action: string;
  target: string;
  before: unknown;
  after: unknown;
  reason: string | null;
};

type Administrator = { id: number; display: string };

export type AuditPage = {
  entries: AuditEntry[];
  next: number | null;
  actions: string[];
  administrators: Administrator[];
};

function readEntry(value: unknown): AuditEntry | null {
  const entry = readRecord(value);
  const id = readCount(entry['id']);
  if (id === null) return null;
  return {
    id,
    at: readIsoTime(entry['at']),
    by: entry['by'] === null ? null : readText(readRecord(entry['by'])['display']) || DASH,
    action: readText(entry['action']) || DASH,
    target: readText(entry['target']) || DASH,
    before: entry['before'] ?? null,
    after: entry['after'] ?? null,
    reason: readText(entry['reason']) || null,
  };
}

function readAdministrator(value: unknown): Administrator | null {
  const { id, display } = readRecord(value);
  const known = readCount(id);
  return known === null ? null : { id: known, display: readText(display) || DASH };
}

/** GET /admin/audit. */
export function readAudit(body: unknown): AuditPage {
  const { entries, next, actions, administrators } = readAnswer(body);
  return {
    entries: readList(entries, readEntry),
    next: readCount(next),
    actions: readList(actions, readText),
    administrators: readList(administrators, readAdministrator),
  };
}
