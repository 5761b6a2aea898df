import { AppError } from '../../../../platform/http/errors.ts';
import { type SessionRow, sessionStore } from '../sessionStore.ts';
import type { OwnDeps, Self } from './deps.ts';

type SessionsDeps = Pick<OwnDeps, 'db' | 'clock' | 'lastSeen' | 'notifier'>;
type Me = Pick<Self, 'userId' | 'sessionId'>;

const ID_LENGTH = 16;

/** Names a session to its owner; the session's own id is half of what a token is made of, and stays here. */
const publicId = ({ id }: Pick<SessionRow, 'id'>): string =>
  new Bun.CryptoHasher('sha256').update(id).digest('base64url').slice(0, ID_LENGTH);

/** A person's login sessions that are good, the one that asks first, then the newest. */
export function listSessions({ db, clock, lastSeen }: SessionsDeps, { userId, sessionId }: Me) {
  return sessionStore(db)
    .goodOf(userId, clock.now())
    .map((row) => {
      const seen = lastSeen.of(row.id) ?? row.lastSeenAt;
      return {
        id: publicId(row),
        device: row.device,
        createdAt: new Date(row.createdAt).toISOString(),
        lastSeenAt: seen === null ? null : new Date(seen).toISOString(),
        current: row.id === sessionId,
      };
    })
    .toSorted((one, other) => Number(other.current) - Number(one.current));
}

/**
 * Ends one of a person's other login sessions.
 *
 * @throws AppError 400 for the one that asks, 404 when it has ended already
 */
export function endSession(
  { db, clock, notifier }: SessionsDeps,
  { userId, sessionId }: Me,
  id: string,
): void {
  const store = sessionStore(db);
  const found = store.goodOf(userId, clock.now()).find((row) => publicId(row) === id);
  if (!found) throw new AppError(404, 'That login session has ended already. Reload the list.');
  if (found.id === sessionId) throw new AppError(400, 'Log out to end the login session that you use.');
  store.revoke(found.id, clock.now());
  notifier.sessionsEnded(userId);
}

/** Ends all of a person's login sessions but the one that asks. */
export function endOtherSessions({ db, clock, notifier }: SessionsDeps, { userId, sessionId }: Me): void {
  sessionStore(db).revokeOthers(userId, sessionId, clock.now());
  notifier.sessionsEnded(userId);
}
