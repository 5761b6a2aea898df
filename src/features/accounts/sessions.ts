import type { Db } from '../../db/open.ts';
import { type AccessLevel, accessLevel } from '../../domain/accounts/accountRules.ts';
import { createTokens } from '../../http/tokens.ts';
import type { Clock } from '../../lib/clock.ts';
import { sessionStore } from './sessionStore.ts';
import type { UserRow } from './store.ts';

const SESSION_MS = 30 * 24 * 60 * 60 * 1000;

export type SessionDeps = {
  db: Db;
  clock: Clock;
  /** URL-safe random text of 128 bits or more. */
  randomToken(): string;
  /** Signs the tokens of sessions. */
  jwtSecret: string;
};

/** What a browser keeps of its session. */
export type OpenedSession = { accessToken: string; accessLevel: AccessLevel };

/** Opens a session of thirty days for a user who has proved who they are. */
export async function openSession(deps: SessionDeps, user: UserRow): Promise<OpenedSession> {
  const now = deps.clock.now();
  const session = { id: deps.randomToken(), userId: user.id, createdAt: now, expiresAt: now + SESSION_MS };
  const claims = { userId: user.id, sessionId: session.id };
  const accessToken = await createTokens(deps).sign(claims, session.expiresAt);
  sessionStore(deps.db).open(session);
  return { accessToken, accessLevel: accessLevel(user) };
}

/** Ends one session; its token is worth nothing from then on. */
export const logout = (deps: Pick<SessionDeps, 'db' | 'clock'>, sessionId: string): void =>
  sessionStore(deps.db).revoke(sessionId, deps.clock.now());
