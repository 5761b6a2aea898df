import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '#src/config/config.ts';
import { formatRecord } from '#lib/logging.ts';
import { createRedactor, type Redactor } from '#lib/redact.ts';
import { startFakeTelegram } from '../support/fakeTelegram.ts';
import { tempFolders } from '../support/tempFolder.ts';
import { createTestApp } from '../support/testApp.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';
import { waitUntil } from '../support/waitUntil.ts';

/** How a broken, hostile or badly written upstream server answers a request. */
type Answer = (echo: string, mark: string) => Response;

const json = (body: unknown, init: ResponseInit = {}): Response => Response.json(body, init);

const ANSWERS: readonly Answer[] = [
  (echo) => new Response(echo, { status: 401 }),
  (echo) => json({ error: { message: echo, code: 0 }, message: echo }, { status: 400 }),
  (echo, mark) => json({ error: echo }, { status: 500, headers: { 'set-cookie': `session=${mark}` } }),
  (echo, mark) => new Response(echo, { status: 302, headers: { location: `/again?token=${mark}` } }),
  (echo, mark) => json({ access_token: mark, echo, data: [{ s: echo, d: [echo] }] }),
  (echo) => new Response(`data: ${JSON.stringify({ error: echo })}\n\n`, { status: 429 }),
  (echo) =>
    new Response(`{"cut off": "${echo.slice(0, 40)}`, { headers: { 'content-type': 'application/json' } }),
];

/**
 * A server that repeats the headers, query and body of each request, in answers of every kind in turn. @param mark a secret of its own, which it
 * sends as a token and a cookie
 */
function startEchoServer(mark: string) {
  let count = 0;
  /** First parts of the requested paths. */
  const asked = new Map<string, number>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const [, first = ''] = pathname.split('/');
      asked.set(first, (asked.get(first) ?? 0) + 1);
      const headers = JSON.stringify(Object.fromEntries(request.headers));
      const echo = `${request.method} ${request.url} ${headers} ${await request.text()}`;
      const answer = ANSWERS[count % ANSWERS.length];
      count += 1;
      return answer ? answer(echo, mark) : new Response(echo);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked: (first: string): number => asked.get(first) ?? 0,
    stop: () => server.stop(true),
  };
}

const folder = tempFolders();
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

const SECRET_SETTINGS = Object.entries<{ secret?: true }>(SETTINGS).flatMap(([name, { secret }]) =>
  secret ? [name] : [],
);

/** Sixteen letters that occur nowhere else. */
const mark = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 16);

/** A value for a secret setting, in the setting’s format, that contains the mark. */
function valueWith(name: string, core: string): string {
  if (name.includes('COOKIE')) return `sessionid=${core}; sessionid_sign=v3:${core}`;
  if (name.includes('DISCORD')) return `MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.${core}${core}`;
  if (name.includes('ENGINE')) return `redis://:${core}@127.0.0.1:1`;
  return `key ${core} "quoted" & more`;
}

const NOTHING_HIDDEN: Redactor = { text: (value) => value, value: (value) => value };

/** The marks of all planted secrets, by description. */
type Marks = Map<string, string>;

async function setUp(redactor: Redactor | null) {
  const marks: Marks = new Map();
  const marked = (what: string): string => {
    const core = mark();
    marks.set(what, core);
    return core;
  };
  const echo = startEchoServer(marked('upstream token'));
  const telegram = startFakeTelegram();
  stops.push(echo.stop, telegram.stop);
  const env: Record<string, string> = {};
  for (const name of SECRET_SETTINGS) env[name] = valueWith(name, marked(name));
  env['BELLBIRD_TELEGRAM_TOKEN'] = telegram.token;
  marks.set('BELLBIRD_TELEGRAM_TOKEN', telegram.token.split(':')[1] ?? '');
  const dataDir = folder();
  const server = await startTestServer(
    dataDir,
    {
      ...env,
      BELLBIRD_FEED: 'tradingview',
      BELLBIRD_NEWS: 'asx',
      BELLBIRD_CALENDAR: 'fxstreet',
      BELLBIRD_TRADINGVIEW_URL: `${echo.url}/tv`,
      BELLBIRD_POLL_SECONDS: '0.05',
      BELLBIRD_ASX_URL: `${echo.url}/asx`,
      BELLBIRD_FXSTREET_URL: `${echo.url}/fx`,
      BELLBIRD_FOREXFACTORY_URL: `${echo.url}/ff`,
      BELLBIRD_DISCORD_URL: `${echo.url}/discord`,
      BELLBIRD_TELEGRAM_URL: telegram.url,
      BELLBIRD_AI_MODEL: 'a-model',
      BELLBIRD_AI_URL: `${echo.url}/ai?token=${marked('query of an address')}`,
      BELLBIRD_PUBLIC_URL: 'http://127.0.0.1:1',
      BELLBIRD_BACKUP_TARGET: `${echo.url}/dav`,
      BELLBIRD_BACKUP_USER: 'me',
    },
    redactor === null ? {} : { redactor },
  );
  stops.push(server.stop);
  marks.set('backup password as it is sent', btoa(`me:${env['BELLBIRD_BACKUP_PASSWORD']}`));
  return { server, echo, telegram, env, marks, marked, dataDir };
}

type Scene = Awaited<ReturnType<typeof setUp>>;

const send = (
  server: TestServer,
  method: string,
  path: string,
  init: RequestInit & { json?: unknown } = {},
) =>
  fetch(`${server.url}${path}`, {
    method,
    ...init,
    headers: { 'content-type': 'application/json', ...(init.headers as Record<string, string>) },
    ...(init.json === undefined ? {} : { body: JSON.stringify(init.json) }),
  });

/** Registers the administrator by the set-up link, and plants secrets wherever a caller can. @returns the session's token */
async function act({ server, marks, marked, env, telegram, echo }: Scene, seen: string[]): Promise<string> {
  const hear = async (answer: Promise<Response>): Promise<string> => {
    const text = await (await answer).text();
    seen.push(text);
    return text;
  };
  const password = `pass ${marked('password')}`;
  const setupToken = server.setupToken();
  marks.set('set-up token', setupToken);
  const registration = { username: 'admin', password, platform: 'web', setupToken };
  const registered = await send(server, 'POST', '/api/register', { json: registration });
  const { accessToken } = (await registered.json()) as { accessToken: string };
  marks.set('session token', accessToken.split('.')[2] ?? '');

  const wrong = { identifier: 'admin', password: `wrong ${marked('wrong password')}` };
  await hear(send(server, 'POST', '/api/login', { json: wrong }));
  await hear(
    send(server, 'POST', '/api/login', { body: `{"identifier":"a","password":"${marked('cut off')}` }),
  );
  await hear(send(server, 'POST', '/api/register', { json: { ...registration, username: 'eve' } }));
  const headers = { authorization: `Bearer ${marked('forged')}`, cookie: `a=${marked('cookie')}` };
  for (const path of ['/api/settings', '/metrics', '/api/admin/internal-state', '/api/nothing']) {
    await hear(
      send(server, 'GET', `${path}?token=${marked('query')}&setup=${marked('set-up')}`, { headers }),
    );
  }
  // A caller sends the keys of this installation in the wrong places.
  const keys = SECRET_SETTINGS.map((name) => env[name] ?? '');
  const name = `A stock of ${keys.join(' and ')}`;
  const ingest = { authorization: `Bearer ${env['BELLBIRD_INGEST_KEY']}` };
  const stocks = keys.map((_, index) => ({ code: `S${index}`, last: 1, close: 1, name: keys[index] ?? '' }));
  await hear(send(server, 'POST', '/api/ingest/market', { headers: ingest, json: { stocks } }));
  await hear(send(server, 'POST', '/api/ingest/market', { headers, json: { stocks } }));
  await hear(send(server, 'GET', `/api/${encodeURIComponent(name.slice(0, 150))}`));

  telegram.write(4711, '/link');
  await waitUntil('a link', () => JSON.stringify(telegram.sent(4711)).includes('linkToken='));
  const linkToken = /linkToken=([\w-]+)/.exec(JSON.stringify(telegram.sent(4711)))?.[1] ?? '';
  marks.set('link token', linkToken);
  const session = { authorization: accessToken };
  telegram.setFault('*', { kind: 'status', code: 400, description: `Bad token ${telegram.token}`, times: 2 });
  await hear(send(server, 'POST', '/api/link/claim', { headers: session, json: { token: linkToken } }));
  await hear(send(server, 'POST', '/api/link/claim', { headers: session, json: { token: `${linkToken}x` } }));
  for (let round = 0; round < 3; round += 1) {
    const json = { question: 'What moved today?', forceAccessLevel: 4 };
    await hear(send(server, 'POST', '/api/admin/askai', { headers: session, json }));
  }
  await hear(send(server, 'POST', '/api/admin/connections/backup-target/test', { headers: session }));
  await hear(send(server, 'POST', '/api/admin/backups', { headers: session }));
  await waitUntil('the backup fails', () =>
    server.lines.some(({ message }) => message.includes('could not send it')),
  );
  const asked = ['tv', 'asx', 'fx', 'discord', 'ai', 'dav'];
  await waitUntil('all requests', () => asked.every((first) => echo.asked(first) > 0));
  await waitUntil('several kinds of answers', () => echo.asked('tv') > 3);
  return accessToken;
}

/** Read-only addresses under /api/admin; name parameters are filled with each section and log. */
function readingPaths(sections: readonly string[]): string[] {
  const app = createTestApp();
  const paths = app.api.routes.filter(
    ({ method, path }) => method === 'GET' && path.startsWith('/api/admin'),
  );
  app.close();
  return paths.flatMap(({ path }) => {
    if (!path.includes(':')) return [path];
    const names = path.includes('internal-state') ? sections : ['1', 'bellbird.log'];
    return names.map((name) => path.replaceAll(/:\w+/g, name));
  });
}

/** Everything that administrators, metric collectors and log readers can see. */
async function check({ server, env, dataDir }: Scene, token: string, log: Redactor): Promise<string[]> {
  const headers = { authorization: token };
  const summary = await (await send(server, 'GET', '/api/admin/internal-state', { headers })).json();
  const { sections } = summary as { sections: { key: string; error: string | null }[] };
  expect(sections.length).toBeGreaterThan(15);
  expect(sections.filter(({ error }) => error !== null)).toEqual([]);
  const seen: string[] = [];
  for (const path of readingPaths(sections.map(({ key }) => key))) {
    seen.push(await (await send(server, 'GET', path, { headers })).text());
  }
  const metrics = { authorization: `Bearer ${env['BELLBIRD_METRICS_KEY']}` };
  const collected = await send(server, 'GET', '/metrics', { headers: metrics });
  expect(collected.status).toBe(200);
  seen.push(await collected.text());
  const lines = server.lines.map(({ level, name, message, properties }) => {
    const known = level === 'warn' ? 'warning' : level;
    const category = name.split('.');
    return formatRecord(
      { category, level: known, message: [message], rawMessage: message, properties, timestamp: 0 },
      log,
    );
  });
  expect(lines.length).toBeGreaterThan(10);
  seen.push(...lines);
  const update = join(dataDir, 'update', 'state.json');
  if (existsSync(update)) seen.push(await Bun.file(update).text());
  return seen;
}

/** Which secrets are visible, and where. */
const found = (marks: Marks, seen: readonly string[]): string[] =>
  [...marks].flatMap(([what, core]) =>
    seen
      .filter((text) => text.includes(core))
      .map(
        (text) => `${what}: …${text.slice(Math.max(0, text.indexOf(core) - 60), text.indexOf(core) + 30)}`,
      ),
  );

describe('secrets', () => {
  test('exist in this test', () => {
    expect(SECRET_SETTINGS.length).toBeGreaterThan(6);
    expect(SECRET_SETTINGS).toContain('BELLBIRD_TRADINGVIEW_COOKIE');
  });

  test('of settings, callers and other servers are in no section, log line, metric, endpoint or error', async () => {
    const scene = await setUp(null);
    const answers: string[] = [];
    const token = await act(scene, answers);
    const log = createRedactor(SECRET_SETTINGS.map((name) => scene.env[name] ?? null));
    const seen = [...answers, ...(await check(scene, token, log))];
    for (const [what, core] of scene.marks)
      expect({ what, isLong: core.length >= 16 }).toEqual({ what, isLong: true });
    expect(found(scene.marks, seen)).toEqual([]);
    // The masked secrets were there.
    expect(seen.join('\n')).toContain('[redacted]');
  });

  test('would be found if they were not masked', async () => {
    const scene = await setUp(NOTHING_HIDDEN);
    const token = await act(scene, []);
    const leaks = found(scene.marks, await check(scene, token, NOTHING_HIDDEN));
    for (const name of SECRET_SETTINGS) expect(leaks.some((leak) => leak.startsWith(`${name}:`))).toBe(true);
  });
});
