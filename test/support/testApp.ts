import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '#src/compose.ts';
import type { Runtime } from '#compose/runtime.ts';
import { type Config, loadConfig } from '#src/config/config.ts';
import type { Db } from '#platform/db/open.ts';
import { openMemoryDb } from './memoryDb.ts';
import { OPERATOR, type Passwords } from '#subjects/accounts/server/passwords.ts';
import type { NewAccount, UserRow } from '#subjects/accounts/server/store.ts';
import { limitBody } from '#platform/http/requestBody.ts';
import type { SystemClock } from '#lib/clock.ts';
import { countedLog, createLog, type Log, type LogLine } from '#lib/log.ts';
import { createCallFeed, createHttpClient } from '#lib/httpClient/client.ts';
import { connectDiscord } from '#platform/discord/index.ts';
import { connectTelegram } from '#platform/telegram/index.ts';
import type { MarketSource } from '#market/sources/quotes.ts';
import { atOnce } from './handScheduler.ts';
import { createHandSource, type HandSourceTraits } from './handSource.ts';
import { noProgram } from './noProgram.ts';
import { historyInMemory } from './historyInMemory.ts';

export const TEST_SECRET = 'a secret of the tests, long enough for HS256';

export type Role = 'guest' | 'free' | 'basic' | 'premium' | 'admin';
export const ROLES: readonly Role[] = ['guest', 'free', 'basic', 'premium', 'admin'];
/** Every seeded user has this password; the username is the role. */
export const PASSWORD = 'a good password';

/** Wednesday 18 November 2026, 11:00 in Sydney. */
export const START = Date.UTC(2026, 10, 18, 0, 0, 0);

export type FakeClock = SystemClock & {
  advance(ms: number): void;
  /** Sets the wall clock; no time passes. */
  set(now: number): void;
};

export function createFakeClock(start = START): FakeClock {
  let now = start;
  let passed = 0;
  return {
    now: () => now,
    monotonic: () => passed,
    advance: (ms) => {
      now += ms;
      passed += ms;
    },
    set: (value) => {
      now = value;
    },
  };
}

/** argon2id as in production, cheap enough for every login in a test. */
const cheapPasswords: Passwords = {
  hash: (password) => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 }),
  verify: (password, hash) => Bun.password.verify(password, hash),
};

export type TestRequest = {
  as?: Role | { token: string };
  body?: unknown;
  /** Sent unchanged instead of a JSON body. */
  rawBody?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** The caller’s address, for rate limits. */
  from?: string;
};

/** A fully read answer; `json` is null if the body is not JSON. */
export type TestAnswer = { status: number; headers: Headers; text: string; json: unknown };

export type TestAppOptions = {
  /** Settings by their environment names. */
  env?: Record<string, string>;
  config?: Partial<Config>;
  clock?: FakeClock;
  db?: Db;
  runtime?: Partial<Runtime>;
  /** The traits that the source declares. */
  source?: HandSourceTraits;
  /** Another source instead of the manual one. */
  market?: (parts: { wall: FakeClock; log: Log }) => MarketSource;
};

const RIGHTS = {
  free: {},
  basic: { subscriptionType: 'basic' },
  premium: { subscriptionType: 'premium' },
  admin: { isAdmin: true },
} as const;

async function readAnswer(response: Response): Promise<TestAnswer> {
  const text = await response.text();
  let json: unknown = null;
  try {
    json = JSON.parse(text);
  } catch {
    // Not every answer is JSON; a test that expects JSON sees null.
  }
  return { status: response.status, headers: response.headers, text, json };
}

/** What the process would provide: cheap passwords, a token that shows in a failure, addresses by request. */
function createRuntime(
  now: number,
  addressOf: (request: Request) => string,
): Omit<Runtime, 'outgoing' | 'logged'> {
  let token = 0;
  return {
    about: { pid: 4711, startedAt: now, version: '0.0.0', commit: 'test' },
    jwtSecret: TEST_SECRET,
    randomToken: () => {
      token += 1;
      return `test-token-${token}-${crypto.randomUUID()}`;
    },
    passwords: cheapPasswords,
    platforms: { telegram: connectTelegram, discord: connectDiscord },
    control: { supervisor: 'none', restart: () => {} },
    logFile: null,
    writeBackup: () => ({
      finished: Promise.resolve({ ok: false, reason: 'Not in tests.' }),
      cancel: () => {},
    }),
    ...noProgram,
    sessionFiles: historyInMemory(),
    clientAddress: addressOf,
    keepOpen: () => {},
    cutOff: () => {},
    later: (run) => run(),
    schedule: atOnce,
  };
}

/** A whole application in memory: its own database and clock, and a manual source. Takes a few milliseconds. */
export function createTestApp(options: TestAppOptions = {}) {
  const clock = options.clock ?? createFakeClock();
  const db = options.db ?? openMemoryDb();
  const lines: LogLine[] = [];
  const { log, counts: logged } = countedLog(createLog((line) => lines.push(line)));
  const read = loadConfig(options.env ?? {}).config;
  // Nothing from the tests’ working folder; this one is never created.
  const config = { ...read, dataDir: join(tmpdir(), 'bellbird-no-data'), ...options.config };
  const source = { ...createHandSource(clock, options.source), ...options.market?.({ wall: clock, log }) };
  const addresses = new WeakMap<Request, string>();
  const addressOf = (request: Request): string => addresses.get(request) ?? '192.0.2.1';
  const outgoing = createCallFeed();
  const runtime = { ...createRuntime(clock.now(), addressOf), outgoing, logged, ...options.runtime };
  const http = createHttpClient({ clock, onCall: outgoing.notify });
  const { api, app: services, parts } = compose({ config, db, clock, log, http, source }, runtime);
  parts.calls.start();
  parts.alerts.start();
  void parts.feed.start();
  const seeded = new Map<string, Promise<{ row: UserRow; token: string }>>();

  /** Adds an account whose password is PASSWORD. */
  const addUser = async (username: string, more: Partial<NewAccount> = {}): Promise<UserRow> => {
    const passwordHash = await runtime.passwords.hash(PASSWORD, OPERATOR);
    return parts.accounts.service.add({ username, email: null, passwordHash, ...more });
  };
  const tokenOf = async (user: UserRow): Promise<string> =>
    (await parts.accounts.service.openSession(user)).accessToken;
  const seededUser = (role: Exclude<Role, 'guest'>) => {
    const known = seeded.get(role);
    if (known) return known;
    const made = addUser(role, RIGHTS[role]).then(async (row) => ({ row, token: await tokenOf(row) }));
    seeded.set(role, made);
    return made;
  };

  /** The raw response, for streams. */
  const open = async (
    method: string,
    path: string,
    { as = 'guest', body, rawBody, headers, from }: TestRequest = {},
  ): Promise<Response> => {
    const all = new Headers(headers);
    if (as !== 'guest' && !all.has('authorization')) {
      all.set('authorization', typeof as === 'string' ? (await seededUser(as)).token : as.token);
    }
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    if (payload !== undefined && !all.has('content-type')) all.set('content-type', 'application/json');
    const init = { method, headers: all, ...(payload === undefined ? {} : { body: payload }) };
    const request = await limitBody(new Request(`http://localhost${path}`, init));
    if (request instanceof Response) return request;
    if (from !== undefined) addresses.set(request, from);
    return api.handle(request);
  };

  return {
    api,
    services,
    parts,
    db,
    clock,
    source,
    tick: parts.tick.service,
    lines,
    open,
    addUser,
    tokenOf,
    request: async (method: string, path: string, requestOptions?: TestRequest): Promise<TestAnswer> =>
      readAnswer(await open(method, path, requestOptions)),
    user: async (role: Exclude<Role, 'guest'>): Promise<UserRow> => (await seededUser(role)).row,
    close: (): void => {
      parts.stream.stop();
      parts.alerts.stop();
      parts.closures.stop();
      if (!options.db) db.$client.close();
    },
  };
}

/** Only calls, alerts and the source were started; `lines`: everything logged. */
export type TestApp = ReturnType<typeof createTestApp>;
