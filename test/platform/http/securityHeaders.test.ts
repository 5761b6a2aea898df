import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secured } from '#platform/http/listen.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { startTestServer, type TestServer } from '#support/testServer.ts';

const newFolder = tempFolders();
const data = mkdtempSync(join(tmpdir(), 'bellbird-test-'));
let server: TestServer;
beforeAll(async () => {
  mkdirSync(join(data, 'public'));
  writeFileSync(join(data, 'public', 'notice.html'), '<p>closed on Monday</p>');
  server = await startTestServer(data);
});
afterAll(async () => {
  await server.stop();
  rmSync(data, { recursive: true });
});

const headersOf = async (path: string, init: RequestInit = {}): Promise<Headers> => {
  const response = await fetch(`${server.url}${path}`, init);
  await response.body?.cancel();
  return response.headers;
};

const EVERYWHERE: Record<string, string> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const ON_PAGES: Record<string, string> = {
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-permitted-cross-domain-policies': 'none',
};
const PATHS = [
  '/',
  '/page',
  '/no-such-page',
  '/local/notice.html',
  '/healthz',
  '/api/test/status',
  '/api/settings',
  '/api/no-such-route',
  '/api/data/stream',
];

describe('every answer', () => {
  for (const path of PATHS) {
    test(`${path} cannot be sniffed, framed or read by other sites`, async () => {
      const headers = await headersOf(path);
      expect(Object.fromEntries(headers)).toMatchObject(EVERYWHERE);
      expect(headers.get('content-security-policy')).toContain("base-uri 'none'");
      const frames = path.startsWith('/local/') ? ['self', 'SAMEORIGIN'] : ['none', 'DENY'];
      expect(headers.get('content-security-policy')).toContain(`frame-ancestors '${frames[0]}'`);
      if (headers.get('content-type')?.startsWith('text/html')) {
        expect(Object.fromEntries(headers)).toMatchObject(ON_PAGES);
        expect(headers.get('permissions-policy')).toContain('geolocation=()');
        expect(headers.get('x-frame-options')).toBe(frames[1] ?? '');
      }
      for (const name of ['server', 'x-powered-by', 'set-cookie', 'access-control-allow-origin']) {
        expect([name, headers.get(name)]).toEqual([name, null]);
      }
    });
  }

  test('that is not shown as a page has only the headers it needs, because a first load has twenty', () => {
    const of = (type: string) =>
      secured(new Response('', { headers: { 'content-type': type } }), false).headers;
    for (const type of ['text/html;charset=utf-8', 'image/svg+xml', 'text/plain', 'application/pdf']) {
      expect(Object.fromEntries(of(type))).toMatchObject({ ...EVERYWHERE, ...ON_PAGES });
      expect(of(type).get('x-frame-options')).toBe('DENY');
    }
    for (const type of ['text/javascript;charset=utf-8', 'text/css', 'font/woff2', 'application/json']) {
      expect(Object.fromEntries(of(type))).toMatchObject(EVERYWHERE);
      expect(of(type).get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(of(type).get('permissions-policy')).toBeNull();
    }
  });

  test('of the API is not stored; the visitors’ leaderboard is revalidated', async () => {
    const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
    for (const [path, init] of [['/api/settings'], ['/api/login', post], ['/api/x']] as const) {
      expect([path, (await headersOf(path, init)).get('cache-control')]).toEqual([path, 'no-store']);
    }
    expect((await headersOf('/api/calls/leaderboard')).get('cache-control')).toBe('private, no-cache');
  });
});

describe('HSTS', () => {
  const hsts = async (env: Record<string, string>, headers: Record<string, string>) => {
    const other = await startTestServer(newFolder(), env);
    const answers = ['/healthz', '/page'].map((path) => fetch(`${other.url}${path}`, { headers }));
    const demanded = (await Promise.all(answers)).map((one) => one.headers.get('strict-transport-security'));
    await other.stop();
    return demanded;
  };
  const https = { 'x-forwarded-proto': 'https' };
  const year = 'max-age=31536000';

  const on = { BELLBIRD_HSTS: '1' };

  test('is sent if a trusted proxy says that the caller used https', async () => {
    expect(await hsts(on, https)).toEqual([year, year]);
    expect(await hsts(on, { 'x-forwarded-proto': 'HTTPS, http' })).toEqual([year, year]);
  });
  test('is not sent over http, or if an untrusted caller claims https', async () => {
    expect(await hsts(on, {})).toEqual([null, null]);
    expect(await hsts(on, { 'x-forwarded-proto': 'http' })).toEqual([null, null]);
    expect(await hsts({ ...on, BELLBIRD_TRUSTED_PROXIES: 'none' }, https)).toEqual([null, null]);
  });
});
