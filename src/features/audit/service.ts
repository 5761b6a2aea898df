import type { Db } from '../../db/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { auditStore } from './store.ts';

/** Something that an administrator did. */
export type Deed = {
  /** The administrator; null for what the server did by itself. */
  userId: number | null;
  action: AuditAction;
  /** What it was done to, in words: a username, a file, a channel's name, a call's public id. */
  target: string;
  /** What stood there before and after, without secrets; left out where there is no such side. */
  before?: unknown;
  after?: unknown;
  /** In the administrator's own words. */
  reason?: string | null;
};

/** Every kind of deed that is kept. */
export type AuditAction =
  | 'approve upgrade'
  | 'decline upgrade'
  | 'edit user'
  | 'moderate call'
  | 'correct call'
  | 'refresh catalog'
  | 'clear log'
  | 'download log'
  | 'restart'
  | 'update'
  | 'roll back'
  | 'back up'
  | 'download backup'
  | 'add channel'
  | 'change channel'
  | 'delete channel'
  | 'broadcast';

/** Keeps what administrators do. */
export type Audit = {
  /** Writes a deed, within the caller's transaction if there is one. Call it where the deed is done, before the answer. */
  record(deed: Deed): void;
};

export function createAuditService({ db, clock }: { db: Db; clock: Clock }): Audit {
  const store = auditStore(db);
  return { record: (deed) => store.insert(deed, clock.now()) };
}
