import { HOUR_MS } from '#lib/units.ts';
import { type Accounts, createAccountsService } from './service.ts';
import { wrongCodesMessage, readCode } from '../rules/secondFactor.ts';
import { ACCOUNTS } from '../contract.ts';
import { checkLogin, checkRegistration, type AccountNotifier } from '../rules/accountRules.ts';
import { deviceOf } from '../rules/device.ts';
import { serve } from '#platform/http/routes.ts';
import { accepted, refusingWith, AppError } from '#platform/http/errors.ts';
import { addressKey } from '#lib/addresses.ts';
import { Repetition } from '#lib/scheduler.ts';
import type { App, Part } from '#platform/app.ts';
import { removeUnusedDemoAccounts, retireDemoAccounts, unusedSince } from './demoAccounts.ts';
import { createKnownAddresses, logout, type OpenedSession, openSession, sessionStore } from './sessions.ts';
import type { AccountTools } from './tools.ts';
import { ownAccountRoutes } from './own/routes.ts';
import { createPasswordCheck } from './passwords.ts';
import { createLogin, type LoginFrom } from './login.ts';
import { register } from './register.ts';
import { createRegistrations } from './limits.ts';
import {
  createSecretSeal,
  loadTotp,
  consumeCode,
  wrongCode,
  type CodeLimit,
  createCodeLimit,
  createTickets,
  secondFactorStore,
} from './secondFactor/codes.ts';
import { and, count, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '#platform/db/open.ts';
import { loginSessions, users } from '#platform/db/schema.ts';
import { accountStore } from './store.ts';

const EXPIRED = 'Your login took more than five minutes, or your account was changed. Log in again.';
const expired = (): AppError => new AppError(401, { field: 'ticket', message: EXPIRED });

/**
 * The second step of a login.
 * @returns a function from the ticket and the code to a new session; it throws AppError 400 for an invalid code format, 401
 *   for a wrong code or an expired ticket (`ticket`), 409, 429
 */
function createSecondStep(
  tools: AccountTools,
): (input: { ticket: string; code: string }, place: LoginFrom) => Promise<OpenedSession> {
  const { app, codeLimit, notifier, tickets } = tools;
  const { clock, db } = app;
  const known = createKnownAddresses(app);
  return async ({ ticket, code }, place) => {
    const given = accepted(readCode(code));
    const userId = tickets.userIdOf(ticket);
    const user = userId === null ? undefined : accountStore(db).byId(userId);
    if (!user || !tickets.fits(ticket, user)) throw expired();
    const attempt = codeLimit.begin(user.id, place.address, known.isKnown(user.id, place.address));
    const totp = await loadTotp();
    const session = await openSession(app, notifier, user, place, () => {
      const row = secondFactorStore(db).on(user.id);
      // Two-factor login has been turned off, so a new login needs only the password.
      if (!row) throw expired();
      const now = clock.now();
      if (!consumeCode(tools, totp, row, { given, now })) {
        attempt.wrong();
        throw new AppError(401, { field: 'code', message: wrongCode(now) });
      }
    });
    attempt.right();
    return session;
  };
}

const NEWEST = 200;

/** Numbers of accounts and valid login sessions for administrators. Ids are left out, because tokens contain them. */
const sessionReport = (db: Db) => ({
  counts(now: number): { accounts: number; open: number } {
    const accounts = db.select({ count: count() }).from(users).where(isNull(users.deletedAt)).get();
    const good = and(isNull(loginSessions.revokedAt), gt(loginSessions.expiresAt, now));
    const open = db.select({ count: count() }).from(loginSessions).where(good).get();
    return { accounts: accounts?.count ?? 0, open: open?.count ?? 0 };
  },

  newest: (now: number) =>
    db
      .select({
        username: users.username,
        device: loginSessions.device,
        createdAt: loginSessions.createdAt,
        lastSeenAt: loginSessions.lastSeenAt,
        expiresAt: loginSessions.expiresAt,
      })
      .from(loginSessions)
      .innerJoin(users, eq(users.id, loginSessions.userId))
      .where(and(isNull(loginSessions.revokedAt), gt(loginSessions.expiresAt, now)))
      .orderBy(desc(sql`${loginSessions}.rowid`))
      .limit(NEWEST)
      .all(),
});

/** Opens the session that `work` returns, in the format of login and register (specification 7.1). */
const answerWith = (work: () => ReturnType<typeof register>) =>
  refusingWith({ authenticated: false, accessToken: null, accessLevel: null }, async () => ({
    authenticated: true as const,
    error: null,
    ...(await work()),
  }));

type PlaceOf = (request: Request) => LoginFrom;

const placesOf =
  ({ clientAddress }: App): PlaceOf =>
  (request) => ({
    address: addressKey(clientAddress(request)),
    device: deviceOf(request.headers.get('user-agent')),
  });

const registration = (tools: AccountTools, placeOf: PlaceOf) =>
  serve(ACCOUNTS, {
    'POST /api/register': ({ body, request }) =>
      answerWith(() => {
        const { username, password, email = null, setupToken } = body;
        const registration = accepted(checkRegistration({ username, password, email }));
        const place = placeOf(request);
        const noAccount = tools.registrations.begin(place.address);
        const made = register(tools, registration, { ...place, setupToken: setupToken || undefined });
        made.catch(noAccount);
        return made;
      }),
  });

/** Login, second step, register and logout (specification 7.1). An incomplete form is not an attempt. */
function routesOf(tools: AccountTools) {
  const login = createLogin(tools);
  const secondStep = createSecondStep(tools);
  const placeOf = placesOf(tools.app);
  return [
    ...serve(ACCOUNTS, {
      'POST /api/login': ({ body, request }) =>
        answerWith(() => login(accepted(checkLogin(body)), placeOf(request))),
      'POST /api/login/second-step': ({ body, request }) =>
        answerWith(() => secondStep(body, placeOf(request))),
      'POST /api/logout': ({ user }) => {
        logout(tools.app, user.sessionId);
        tools.notifier.sessionsEnded(user.id);
        return { success: true as const };
      },
    }),
    ...registration(tools, placeOf),
  ];
}

function createLastSeenWriting({ db, lastSeen, log, schedule }: App) {
  const write = (): void => {
    const seen = lastSeen.take();
    if (seen.size > 0) sessionStore(db).writeLastSeen(seen);
  };
  const repetition = new Repetition({
    schedule,
    everyMs: HOUR_MS,
    work: write,
    log,
    failure: 'Could not save when login sessions were last used',
  });
  return {
    write,
    start: (): void => repetition.start(),
    stop(): void {
      repetition.stop();
      write();
    },
  };
}

const countedCodes = ({ clock, log }: App, notifier: AccountNotifier): CodeLimit =>
  createCodeLimit(clock, (userId) => {
    // Runs after the transaction of the wrong code, because that is rolled back.
    queueMicrotask(() => {
      try {
        notifier.wrongCodes(userId);
      } catch (error) {
        log.error('Could not notify the owner of an account about wrong codes', { userId, error });
      }
    });
  });

const notifierOf = (listeners: readonly Partial<AccountNotifier>[]): AccountNotifier => ({
  accountChanged(userId, state) {
    for (const listener of listeners) listener.accountChanged?.(userId, state);
  },
  sessionsEnded(userId) {
    for (const listener of listeners) listener.sessionsEnded?.(userId);
  },
  wrongCodes(userId) {
    for (const listener of listeners) listener.wrongCodes?.(userId);
  },
});

const inspection = ({ clock, db }: App) => ({
  label: 'Login sessions',
  description: 'Login sessions, newest first. Addresses are not stored.',
  type: 'list' as const,
  summary: sessionReport(db).counts(clock.now()),
  data: () => sessionReport(db).newest(clock.now()),
});

/** Accounts and sessions. `start` drops expired rows and, outside test mode, ends the sessions of demo accounts. */
export function createAccounts(app: App) {
  const { clock, config, db } = app;
  const listeners: Partial<AccountNotifier>[] = [
    {
      wrongCodes(userId) {
        const { chatsOf, outbox } = app;
        outbox.add(
          chatsOf(userId).map((chat) => ({ ...chat, userId, triggerId: null, message: wrongCodesMessage })),
        );
        outbox.wake();
      },
    },
  ];
  const notifier = notifierOf(listeners);
  const registrations = createRegistrations(app);
  const tools: AccountTools = {
    app,
    notifier,
    registrations,
    checkPassword: createPasswordCheck(app),
    deletionListeners: [],
    secrets: createSecretSeal(app.jwtSecret),
    tickets: createTickets(app),
    codeLimit: countedCodes(app, notifier),
  };
  const lastSeen = createLastSeenWriting(app);

  const dropExpired = (): number =>
    sessionStore(db).dropEnded(clock.now(), unusedSince(clock)) +
    createKnownAddresses(app).dropExpired() +
    registrations.dropExpired();

  return {
    name: 'accounts',
    service: {
      ...createAccountsService(tools),
      listen: (listener: Partial<AccountNotifier>): void => void listeners.push(listener),
    },
    routes: () => [...routesOf(tools), ...ownAccountRoutes(tools)],
    start() {
      if (!config.testMode) retireDemoAccounts(app);
      dropExpired();
      lastSeen.start();
    },
    stop: lastSeen.stop,
    prune() {
      // Written first, because a use that is only in memory would make a demo account look unused.
      lastSeen.write();
      const { removed, hasMore } = removeUnusedDemoAccounts(tools);
      return { removed: removed + dropExpired(), hasMore };
    },
    inspect: () => inspection(app),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    accounts: Accounts & {
      listen(listener: Partial<AccountNotifier>): void;
    };
  }
}
