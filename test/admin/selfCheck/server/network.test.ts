import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { lookAtCertificate } from '../../../../src/admin/selfCheck/server/certificate.ts';
import { networkFindings } from '../../../../src/admin/selfCheck/server/service.ts';
import { loadConfig } from '../../../../src/config.ts';
import { createHttpClient } from '../../../../src/lib/httpClient/client.ts';
import { createJobRunner } from '../../../../src/platform/install/shared/jobProcess.ts';

const TOKEN = '123456:planted-token-of-the-bot-aaaaaaaaaa';
const clock = { now: () => Date.now(), monotonic: () => performance.now() };
const servers: { stop(force: boolean): unknown }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) void server.stop(true);
});

/** A server that answers by the path, 404 elsewhere; it keeps what it was asked. */
function serve(answers: Record<string, () => Response>) {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      asked.push(`${request.method} ${pathname}`);
      return answers[pathname]?.() ?? new Response('Not found', { status: 404 });
    },
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${server.port}`, asked };
}

const check = async (env: Record<string, string>) => {
  const { config } = loadConfig(env);
  const runList = createJobRunner('list-target', {});
  const findings = await networkFindings(config, { http: createHttpClient({ clock }), clock, runList });
  return new Map(findings.map((finding) => [finding.what, finding]));
};

const NO_SOURCES = { BELLBIRD_NEWS: 'off', BELLBIRD_CALENDAR: 'off' };
const bots = (url: string) => ({
  ...NO_SOURCES,
  ...{ BELLBIRD_TELEGRAM_URL: url, BELLBIRD_TELEGRAM_TOKEN: TOKEN },
  ...{ BELLBIRD_DISCORD_URL: url, BELLBIRD_DISCORD_TOKEN: 'planted.discord.token' },
  ...{ BELLBIRD_AI_URL: url, BELLBIRD_AI_KEY: 'planted-model-key', BELLBIRD_AI_MODEL: 'small' },
});

describe('chats and model', () => {
  test('are asked who they are, and nothing is sent', async () => {
    const { url, asked } = serve({
      [`/bot${TOKEN}/getMe`]: () => Response.json({ ok: true, result: { username: 'bell_bot' } }),
      '/v10/users/@me': () => Response.json({ username: 'bell' }),
      '/v1/models': () => Response.json({ data: [{ id: 'small' }, { id: 'large' }] }),
    });
    const found = await check(bots(url));
    expect(found.get('Telegram')).toMatchObject({ state: 'ok', says: 'Telegram knows the bot as bell_bot.' });
    expect(found.get('Discord')).toMatchObject({ state: 'ok', says: 'Discord knows the bot as bell.' });
    expect(found.get('Model')).toMatchObject({ state: 'ok', says: expect.stringContaining('has small') });
    expect(asked.sort()).toEqual([`GET /bot${TOKEN}/getMe`, 'GET /v1/models', 'GET /v10/users/@me']);
  });
});

describe('sources', () => {
  test('one that answers in another form, one that refuses, and one that is gone', async () => {
    const { url, asked } = serve({
      '/australia/scan': () => Response.json({ totalCount: 1, data: [{ s: 'ASX:BHP', d: [1] }] }),
    });
    const gone = serve({}).url;
    void servers.at(-1)?.stop(true);
    const found = await check({
      BELLBIRD_FEED: 'tradingview',
      BELLBIRD_TRADINGVIEW_URL: url,
      BELLBIRD_ASX_URL: gone,
      BELLBIRD_FXSTREET_URL: url,
      BELLBIRD_FOREXFACTORY_URL: url,
    });
    expect(found.get('TradingView')).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('unknown shape'),
    });
    expect(found.get('ASX announcements')?.says).toMatch(/^ASX could not be reached/);
    expect(found.get('FXStreet')).toMatchObject({ state: 'wrong', says: 'FXStreet answered HTTP 404.' });
    expect(found.get('ForexFactory')?.state).toBe('ok');
    expect(asked.filter((one) => one.includes('thisweek'))).toEqual([]);
  });
});

describe('the public address', () => {
  const health = () =>
    Response.json({ ok: true, pid: 1, uptimeSec: 1, startedAt: 5, version: '1', commit: 'c' });
  const streamed = (pieces: number) => (): Response =>
    new Response(
      new ReadableStream({
        async start(controller) {
          for (let piece = 0; piece < pieces; piece += 1) {
            controller.enqueue(new TextEncoder().encode('event: ping\ndata: {}\n\n'));
            await Bun.sleep(600);
          }
          controller.close();
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );
  const at = async (pieces: number, port?: number) => {
    const { url } = serve({ '/healthz': health, '/api/data/stream': streamed(pieces) });
    const own = String(port ?? new URL(url).port);
    return check({ ...NO_SOURCES, BELLBIRD_PUBLIC_URL: url, BELLBIRD_PORT: own, BELLBIRD_HOST: '127.0.0.1' });
  };
  test('passes a stream on at once, or collects it', async () => {
    expect((await at(3)).get('Live stream')?.state).toBe('ok');
    expect((await at(1)).get('Live stream')).toMatchObject({
      state: 'wrong',
      remedy: expect.stringContaining('proxy_buffering'),
    });
  });
  test('shows its certificate, also one that nobody trusts', async () => {
    const folder = join(import.meta.dir, '../../../fixtures/tls');
    const tls = { key: Bun.file(join(folder, 'key.pem')), cert: Bun.file(join(folder, 'certificate.pem')) };
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch: () => new Response('') });
    servers.push(server);
    const look = (host: string, now: number) =>
      lookAtCertificate(`https://${host}:${server.port}`, now, 5000);
    expect((await look('localhost', Date.UTC(2030, 0))).says).toContain('not trusted');
    expect((await look('localhost', Date.UTC(2200, 0))).says).toContain('ran out');
    expect((await look('127.0.0.1', Date.UTC(2030, 0))).says).toBe('The certificate is not for 127.0.0.1.');
  });
});
