import { afterEach, describe, expect, test } from 'bun:test';
import { startFakeWebDav } from '#support/fakeWebDav.ts';
import { createTestApp, type TestApp } from '#support/testApp.ts';

const TOKEN = '123456:planted-token-of-the-bot-aaaaaaaaaa';
const opened: { close(): void }[] = [];
afterEach(() => opened.splice(0).forEach((one) => one.close()));

/** A server that answers by path, and 404 elsewhere. It records the requests. */
function serve(answers: Record<string, (request: Request) => Response | Promise<Response>>) {
  const asked: { path: string; body: string }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push({ path: pathname, body: await request.clone().text() });
      return answers[pathname]?.(request) ?? new Response('Not found', { status: 404 });
    },
  });
  opened.push({ close: () => void server.stop(true) });
  return { url: `http://127.0.0.1:${server.port}`, asked };
}

const bot = (url: string) => ({ BELLBIRD_TELEGRAM_URL: url, BELLBIRD_TELEGRAM_TOKEN: TOKEN });
const model = (url: string) => ({
  BELLBIRD_AI_URL: url,
  BELLBIRD_AI_KEY: 'planted-model-key',
  BELLBIRD_AI_MODEL: 'small',
});
function open(env: Record<string, string>): TestApp {
  const app = createTestApp({ env });
  opened.push(app);
  return app;
}
const press = (app: TestApp, key: string) =>
  app.request('POST', `/api/admin/connections/${key}/test`, { as: 'admin' });

test('the list contains configured connections, and is empty without any', async () => {
  const read = async (env: Record<string, string>) =>
    (await open(env).request('GET', '/api/admin/connections', { as: 'admin' })).json;
  expect(await read({})).toEqual({ connections: [] });
  const env = { ...bot('http://127.0.0.1:1'), ...model('http://127.0.0.1:1') };
  const real = { BELLBIRD_FEED: 'tradingview', BELLBIRD_TRADINGVIEW_COOKIE: 'sessionid=planted' };
  const { connections } = (await read({ ...env, ...real })) as {
    connections: { key: string; costs: boolean }[];
  };
  expect(connections.map(({ key, costs }) => [key, costs])).toEqual([
    ['tradingview', false],
    ['asx-announcements', false],
    ['fxstreet', false],
    ['forexfactory', false],
    ['telegram', false],
    ['model', true],
  ]);
  expect(JSON.stringify(connections)).not.toContain('planted');
});

describe('a connection test', () => {
  test('asks for the bot’s identity, sends nothing, and is not audited', async () => {
    const me = () => Response.json({ ok: true, result: { username: 'bell_bot' } });
    const { url, asked } = serve({ [`/bot${TOKEN}/getMe`]: me });
    const app = open(bot(url));
    expect((await press(app, 'telegram')).json).toEqual({
      state: 'ok',
      says: 'Telegram knows the bot as bell_bot.',
      remedy: '',
      tookMs: expect.any(Number),
    });
    expect(asked.map(({ path }) => path)).toEqual([`/bot${TOKEN}/getMe`]);
    expect(app.parts.audit.service.list({}).entries).toEqual([]);
  });
  test('explains the problem and the fix without revealing a secret', async () => {
    const { url } = serve({});
    const app = open({ ...bot(url), ...model(url) });
    const telegram = await press(app, 'telegram');
    expect(telegram.json).toMatchObject({ state: 'wrong', remedy: expect.stringContaining('@BotFather') });
    const asked = await press(app, 'model');
    expect(asked.json).toMatchObject({ state: 'wrong', remedy: expect.stringContaining('BELLBIRD_AI_URL') });
    expect(telegram.text + asked.text + JSON.stringify(app.lines)).not.toMatch(/planted/);
  });
});

test('a WebDAV backup target is checked in a separate process, and nothing is written there', async () => {
  const BACKUP = 'bellbird-abcd1234-nightly-2026-11-17T16-10-00-000Z.db.age';
  const ENCRYPTED = { BELLBIRD_BACKUP_PASSPHRASE: 'some long words of mine' };

  const dav = startFakeWebDav();
  opened.push({ close: () => void dav.stop() });
  dav.files.set(`pi/${BACKUP}`, new Uint8Array(9)).set('pi/photo.jpg', new Uint8Array(9));
  const { url, user, password } = dav.place;
  const env = { ...ENCRYPTED, BELLBIRD_BACKUP_TARGET: url, BELLBIRD_BACKUP_USER: user };
  const app = open({ ...env, BELLBIRD_BACKUP_PASSWORD: password });
  const says = `The WebDAV folder ${url} answers and holds one backup.`;
  expect((await press(app, 'backup-target')).json).toMatchObject({ state: 'ok', says });
  expect(dav.asked).toEqual(['PROPFIND /dav/pi/']);
  dav.folders.clear();
  expect((await press(app, 'backup-target')).json).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('The first backup creates it'),
  });
  const wrong = await press(open({ ...env, BELLBIRD_BACKUP_PASSWORD: 'another one' }), 'backup-target');
  expect(wrong.json).toMatchObject({
    state: 'wrong',
    says: expect.stringContaining('rejects the user and password'),
    remedy: expect.stringContaining('BELLBIRD_BACKUP_PASSWORD'),
  });
  expect(wrong.text).not.toContain('another one');
});
