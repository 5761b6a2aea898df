import { readBoolean, readIsoTime, readList, readRecord, readText } from '../../../../../lib/read.ts';
import { readAnswer } from '../../../../../../web/api/client.ts';

/** A login session of the user's. Times are ISO 8601; null when they are not known. */
export type LoginSession = {
  id: string;
  /** The browser in a few words; null where it did not say. */
  device: string | null;
  createdAt: string | null;
  lastSeenAt: string | null;
  /** The one of this browser. */
  current: boolean;
};

function readSession(value: unknown): LoginSession | null {
  const { id, device, createdAt, lastSeenAt, current } = readRecord(value);
  const known = readText(id);
  if (!known) return null;
  return {
    id: known,
    device: readText(device)?.trim() || null,
    createdAt: readIsoTime(createdAt),
    lastSeenAt: readIsoTime(lastSeenAt),
    current: readBoolean(current) ?? false,
  };
}

/** GET /settings/sessions. */
export const readSessions = (body: unknown): { sessions: LoginSession[] } => ({
  sessions: readList(readAnswer(body).sessions, readSession),
});
