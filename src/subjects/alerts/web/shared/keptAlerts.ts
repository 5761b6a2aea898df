import { readCount, readList, readRecord, readText } from '#lib/read.ts';
import { isRecord } from '#lib/json.ts';
import { userOf } from '#subjects/accounts/web/shared/session/interruption.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import type { AlertTrigger } from './alertStream.ts';

/** More are not counted one by one. */
const MAX_UNSEEN = 200;
/** As many as the server may tell again after a break. */
const MAX_RECENT = 200;

/** What this browser keeps of a user's alerts over reloads, for all of its windows. */
export type KeptAlerts = {
  /** The keys of triggers that were not seen on the watchlist yet. */
  unseen: readonly string[];
  /** The keys of those that a window was told of last, seen or not. */
  recent: readonly string[];
  /** When the newest of those that were seen fired, by the server's clock. */
  seenAt: number;
  /** The last event of the stream. */
  lastEventId: string;
};

const NOTHING: KeptAlerts = { unseen: [], recent: [], seenAt: 0, lastEventId: '' };

/** Where they are kept; null for a token that can't be read. */
export function keptAlertsKey(token: string | null): string | null {
  const user = userOf(token);
  return user === null ? null : `bellbird.alerts.${user}`;
}

function accept(value: unknown): KeptAlerts | null {
  if (!isRecord(value)) return null;
  const { unseen, recent, seenAt, lastEventId } = readRecord(value);
  return {
    unseen: readList(unseen, readText),
    recent: readList(recent, readText),
    seenAt: readCount(seenAt) ?? 0,
    lastEventId: readText(lastEventId) ?? '',
  };
}

/** @param key null keeps nothing */
export const readKeptAlerts = (key: string | null): KeptAlerts =>
  (key === null ? null : readStored(key, accept)) ?? NOTHING;

function write(key: string | null, kept: KeptAlerts): KeptAlerts {
  if (key !== null) writeStored(key, kept);
  return kept;
}

/** Notes that a trigger was told; what another window has noted already changes nothing. */
export function keepTrigger(key: string | null, before: KeptAlerts, trigger: AlertTrigger): KeptAlerts {
  const kept = key === null ? before : readKeptAlerts(key);
  if (kept.recent.includes(trigger.key)) return kept;
  const isUnseen = trigger.at > kept.seenAt && !kept.unseen.includes(trigger.key);
  return write(key, {
    ...kept,
    recent: [...kept.recent, trigger.key].slice(-MAX_RECENT),
    unseen: isUnseen ? [...kept.unseen, trigger.key].slice(-MAX_UNSEEN) : kept.unseen,
  });
}

/** Notes the last event, from which the stream goes on after a reload. */
export function keepEventId(key: string | null, before: KeptAlerts, lastEventId: string): KeptAlerts {
  const kept = key === null ? before : readKeptAlerts(key);
  return kept.lastEventId === lastEventId ? kept : write(key, { ...kept, lastEventId });
}

/** Notes that all were seen that fired until then, by the server's clock. */
export function keepSeen(key: string | null, before: KeptAlerts, at: number): KeptAlerts {
  const kept = key === null ? before : readKeptAlerts(key);
  if (kept.unseen.length === 0) return kept;
  return write(key, { ...kept, unseen: [], seenAt: Math.max(kept.seenAt, at) });
}
