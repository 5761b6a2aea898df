import { jwt } from '@elysiajs/jwt';
import { type DocumentDecoration, Elysia, t } from 'elysia';
import type { Clock } from '#lib/clock.ts';
import { lazy } from '#lib/lazy.ts';
import { eq, sql } from 'drizzle-orm';
import { loginSessions, secondFactors, users } from '../db/schema.ts';
import {
  type AccessLevel,
  accessLevel,
  LACKING_SECOND_FACTOR,
  type SubscriptionType,
} from './rules/accessLevel.ts';
import type { App } from '#platform/app.ts';
import { AppError } from './errors.ts';
import { requestToken, streamToken } from './requestToken.ts';

/** When a request came last with each login session, in memory: the disk is written once for many requests. */
export type LastSeen = {
  /** @param now epoch ms */
  note(sessionId: string, now: number): void;
  /** When the session was noted since the last `take`, epoch ms; undefined when it was not. */
  of(sessionId: string): number | undefined;
  /** Gives all that was noted, and forgets it. */
  take(): ReadonlyMap<string, number>;
};

/** There are no more good sessions than people and their devices: the map is as large as an hour's visitors. */
export function createLastSeen(): LastSeen {
  let seen = new Map<string, number>();
  return {
    note: (sessionId, now) => void seen.set(sessionId, now),
    of: (sessionId) => seen.get(sessionId),
    take() {
      const taken = seen;
      seen = new Map();
      return taken;
    },
  };
}

declare module '#platform/app.ts' {
  interface App {
    lastSeen: LastSeen;
  }
}

export type TokenClaims = { userId: number; sessionId: string };

export type Tokens = {
  /** @param expiresAt epoch ms */
  sign(claims: TokenClaims, expiresAt: number): Promise<string>;
  /** The claims of a token that this server signed and that has not expired; null for anything else. */
  verify(token: string): Promise<TokenClaims | null>;
};

/**
 * JSON Web Tokens that hold a user id and a session id, and no rights: those are read from the database.
 */
export function createTokens(deps: { jwtSecret: string; clock: Clock }): Tokens {
  const signer = lazy(() => {
    const schema = t.Object({ uid: t.Integer(), sid: t.String() });
    return jwt({ name: 'jwt', secret: deps.jwtSecret, schema }).decorator.jwt;
  });
  return {
    // `iat` would be stamped with the machine's clock instead of ours.
    sign: ({ userId, sessionId }, expiresAt) =>
      signer().sign({ uid: userId, sid: sessionId, exp: Math.floor(expiresAt / 1000), iat: false }),
    verify: async (token) => {
      const options = { algorithms: ['HS256'], currentDate: new Date(deps.clock.now()) };
      const claims = await signer().verify(token, options);
      return claims ? { userId: claims.uid, sessionId: claims.sid } : null;
    },
  };
}

/** Who is calling, as the database has it at this moment. */
export type AuthUser = {
  id: number;
  username: string;
  subscriptionType: SubscriptionType;
  isAdmin: boolean;
  level: AccessLevel;
  /** An administrator who has no administrator's rights until two-factor login is on: the server demands it. */
  lacksSecondFactor: boolean;
  sessionId: string;
  /** When the login session is over, epoch ms. */
  expiresAt: number;
};

const LOG_IN = 'Please log in to continue.';
/** The refusal of a token that is forged, expired or revoked. */
export const SESSION_ENDED = 'Your session has ended. Please log in again.';
const BELOW_LEVEL: Record<AccessLevel, string> = {
  1: LOG_IN,
  2: 'This needs the Basic or Premium plan.',
  3: 'This needs the Premium plan.',
  4: 'This is for administrators only.',
};

/** Its field is how a page knows it from a refusal for want of rights. */
const NEEDS_SECOND_FACTOR = {
  field: LACKING_SECOND_FACTOR,
  message:
    'This server demands two-factor login of administrators. Turn it on in Settings, under Account, then come back.',
};

/** @returns a function from the id of a session to its user, which answers null when it has expired or was revoked */
export function createSessionReader(
  { db, clock }: App,
  /** Administrators without two-factor login have no administrator's rights. */
  { adminTotp = false } = {},
): (sessionId: string) => AuthUser | null {
  const bySession = lazy(() =>
    db
      .select({
        id: users.id,
        username: users.username,
        subscriptionType: users.subscriptionType,
        isAdmin: users.isAdmin,
        sessionId: loginSessions.id,
        expiresAt: loginSessions.expiresAt,
        revokedAt: loginSessions.revokedAt,
        secondFactorAt: secondFactors.confirmedAt,
      })
      .from(loginSessions)
      .innerJoin(users, eq(users.id, loginSessions.userId))
      .leftJoin(secondFactors, eq(secondFactors.userId, loginSessions.userId))
      .where(eq(loginSessions.id, sql.placeholder('sessionId')))
      .prepare(),
  );
  return (sessionId) => {
    const row = bySession().get({ sessionId });
    if (!row) return null;
    const { revokedAt, secondFactorAt, ...account } = row;
    if (revokedAt !== null || account.expiresAt <= clock.now()) return null;
    const lacksSecondFactor = adminTotp && account.isAdmin && secondFactorAt === null;
    const user = { ...account, isAdmin: account.isAdmin && !lacksSecondFactor };
    return { ...user, lacksSecondFactor, level: accessLevel(user) };
  };
}

/**
 * @returns a function from token to caller, which answers null when the token is forged, expired or revoked
 */
export function createAuthenticator(
  app: App,
  { lastSeen, adminTotp = false }: { lastSeen?: LastSeen; adminTotp?: boolean } = {},
): (token: string) => Promise<AuthUser | null> {
  const tokens = createTokens(app);
  const readSession = createSessionReader(app, { adminTotp });
  return async (token) => {
    const claims = await tokens.verify(token);
    if (!claims) return null;
    const user = readSession(claims.sessionId);
    if (user?.id !== claims.userId) return null;
    lastSeen?.note(user.sessionId, app.clock.now());
    return user;
  };
}

/** A level as part of a route's description, where `declaredLevel` finds it. */
const declared = (level: AccessLevel | 0): DocumentDecoration => ({
  security: level === 0 ? [] : [{ session: [`level-${level}`] }],
});

/** The level that a route's description declares: 0 for anyone, null when it declares nothing. */
export function declaredLevel(detail: DocumentDecoration | undefined): number | null {
  if (!detail?.security) return null;
  const scope = detail.security[0]?.['session']?.[0];
  return scope === undefined ? 0 : Number(scope.replace('level-', ''));
}

/** Who each request comes from: looked at once, when it is let in. */
class Callers {
  readonly #known = new WeakMap<Request, AuthUser>();
  readonly #authenticate: (token: string) => Promise<AuthUser | null>;

  constructor(private readonly app: App) {
    const { config, lastSeen } = app;
    this.#authenticate = createAuthenticator(app, { lastSeen, adminTotp: config.adminTotp });
  }

  /** @throws AppError 401 and 403 */
  async admit(request: Request, level: AccessLevel | 0, token = requestToken(request)): Promise<void> {
    if (token === null) {
      if (level === 0) return;
      throw new AppError(401, LOG_IN);
    }
    const user = await this.#authenticate(token);
    if (!user) throw new AppError(401, SESSION_ENDED);
    if (user.level < level) {
      if (level === 4 && user.lacksSecondFactor) throw new AppError(403, NEEDS_SECOND_FACTOR);
      throw new AppError(403, BELOW_LEVEL[level === 0 ? 1 : level]);
    }
    this.#known.set(request, user);
    await this.app.loopTime.enter(request, user.id);
  }

  /** Null for a visitor. */
  of(request: Request): AuthUser | null {
    return this.#known.get(request) ?? null;
  }

  /** @throws AppError 401 for a visitor */
  userOf(request: Request): AuthUser {
    const user = this.of(request);
    if (!user) throw new AppError(401, LOG_IN);
    return user;
  }
}

/**
 * The plugin that lets callers in, by the `access` of a route's contract.
 *
 * - `minLevel: 1 | 2 | 3 | 4`: gives the route `user`; 401 without a valid token, 403 below the level. Both come
 *   before the body is validated.
 * - `streamLevel`: the same for a stream, whose token may stand in the query too.
 * - `visitor: true`: anyone; `user` is null without a token, 401 when an invalid token is sent.
 * - `anyone: true`: anyone; the token is not looked at.
 */
export function createAuth(app: App) {
  const callers = new Callers(app);
  // A macro's `resolve` runs after validation and `transform` before it: a caller who is refused learns nothing of the form.
  return new Elysia({ name: 'auth' }).macro({
    minLevel: (level: AccessLevel) => ({
      detail: declared(level),
      transform: ({ request }: { request: Request }) => callers.admit(request, level),
      resolve: ({ request }: { request: Request }) => ({ user: callers.userOf(request) }),
    }),
    streamLevel: (level: AccessLevel) => ({
      detail: declared(level),
      transform: ({ request }: { request: Request }) => callers.admit(request, level, streamToken(request)),
      resolve: ({ request }: { request: Request }) => ({ user: callers.userOf(request) }),
    }),
    visitor: (_: true) => ({
      detail: declared(0),
      transform: ({ request }: { request: Request }) => callers.admit(request, 0),
      resolve: ({ request }: { request: Request }): { user: AuthUser | null } => ({
        user: callers.of(request),
      }),
    }),
    anyone: (_: true) => ({ detail: declared(0) }),
  });
}

export type Auth = ReturnType<typeof createAuth>;

declare module '#platform/app.ts' {
  interface App {
    auth: Auth;
  }
}
