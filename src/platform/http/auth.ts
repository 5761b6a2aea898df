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

/** The time of each session's last request, in memory, so that many requests need one write to the disk. */
export type LastSeen = {
  note(sessionId: string, now: number): void;
  /** The last note since `take`, epoch ms. */
  of(sessionId: string): number | undefined;
  take(): ReadonlyMap<string, number>;
};

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
  sign(claims: TokenClaims, expiresAt: number): Promise<string>;
  /** The claims of a valid token of this server; otherwise null. */
  verify(token: string): Promise<TokenClaims | null>;
};

/** JSON Web Tokens with a user id and a session id. They contain no rights, which the database has. */
export function createTokens(deps: { jwtSecret: string; clock: Clock }): Tokens {
  const signer = lazy(() => {
    const schema = t.Object({ uid: t.Integer(), sid: t.String() });
    return jwt({ name: 'jwt', secret: deps.jwtSecret, schema }).decorator.jwt;
  });
  return {
    // `iat` would be the machine's clock instead of ours.
    sign: ({ userId, sessionId }, expiresAt) =>
      signer().sign({ uid: userId, sid: sessionId, exp: Math.floor(expiresAt / 1000), iat: false }),
    verify: async (token) => {
      const options = { algorithms: ['HS256'], currentDate: new Date(deps.clock.now()) };
      const claims = await signer().verify(token, options);
      return claims ? { userId: claims.uid, sessionId: claims.sid } : null;
    },
  };
}

export type AuthUser = {
  id: number;
  username: string;
  subscriptionType: SubscriptionType;
  isAdmin: boolean;
  level: AccessLevel;
  /** An administrator without rights until two-factor login is on, because the server demands it. */
  lacksSecondFactor: boolean;
  sessionId: string;
  expiresAt: number;
};

const LOG_IN = 'Please log in to continue.';
export const SESSION_ENDED = 'Your session has ended. Please log in again.';
const BELOW_LEVEL: Record<AccessLevel, string> = {
  1: LOG_IN,
  2: 'This needs the Basic or Premium plan.',
  3: 'This needs the Premium plan.',
  4: 'This is for administrators only.',
};

/** A page recognises this refusal by its field. */
const NEEDS_SECOND_FACTOR = {
  field: LACKING_SECOND_FACTOR,
  message: 'This server requires two-factor login for administrators. Turn it on in Settings, under Account.',
};

/** @returns a function from a session's id to its user, which returns null for an expired or revoked session */
export function createSessionReader(
  { db, clock }: App,
  /** If true, administrators without two-factor login have no administrator rights. */
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

/** @returns a function from token to caller, which returns null for a forged, expired or revoked token */
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

/** A level in the form that `declaredLevel` reads from a route's description. */
const declared = (level: AccessLevel | 0): DocumentDecoration => ({
  security: level === 0 ? [] : [{ session: [`level-${level}`] }],
});

/** The level in a route's description: 0 for anyone, null if it declares none. */
export function declaredLevel(detail: DocumentDecoration | undefined): number | null {
  if (!detail?.security) return null;
  const scope = detail.security[0]?.['session']?.[0];
  return scope === undefined ? 0 : Number(scope.replace('level-', ''));
}

/** The callers of requests, determined once on admission. */
class Callers {
  readonly #known = new WeakMap<Request, AuthUser>();
  readonly #authenticate: (token: string) => Promise<AuthUser | null>;

  constructor(private readonly app: App) {
    const { config, lastSeen } = app;
    this.#authenticate = createAuthenticator(app, { lastSeen, adminTotp: config.adminTotp });
  }

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
    await this.app.loopBudget.enter(request, user.id);
  }

  of(request: Request): AuthUser | null {
    return this.#known.get(request) ?? null;
  }

  userOf(request: Request): AuthUser {
    const user = this.of(request);
    if (!user) throw new AppError(401, LOG_IN);
    return user;
  }
}

/**
 * The plugin that admits callers by the `access` of a route's contract.
 * - `minLevel: 1 | 2 | 3 | 4`: gives the route `user`; 401 without a valid token, 403 below the level. Both
 * are checked before the body.
 * - `streamLevel`: the same for a stream, whose token may be in the query too.
 * - `visitor: true`: anyone; `user` is null without a token, 401 for an invalid token.
 * - `anyone: true`: anyone; ignores the token.
 */
export function createAuth(app: App) {
  const callers = new Callers(app);
  // `transform` runs before validation, so a refused caller learns nothing of the form.
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
