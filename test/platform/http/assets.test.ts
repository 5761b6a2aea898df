import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { acceptsGzip, chooseEncoding } from '#lib/http.ts';
import { type AssetEntry, type AssetManifest, openAssets } from '#platform/http/assets.ts';

let folder = '';
const script = 'console.log("bell")';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellbird-assets-'));
  await mkdir(join(folder, 'assets'));
  const entry = (file: string, contentType: string, immutable: boolean): AssetEntry => ({
    file,
    contentType,
    hash: `hash-of-${file}`,
    immutable,
    encodings: ['br', 'gzip'],
  });
  const manifest: AssetManifest = {
    contentSecurityPolicy: "default-src 'self'",
    entries: {
      '/index.html': entry('index.html', 'text/html; charset=utf-8', false),
      '/assets/main-abc.js': entry('assets/main-abc.js', 'text/javascript; charset=utf-8', true),
      '/assets/worker-abc.js': {
        ...entry('assets/main-abc.js', 'text/javascript; charset=utf-8', true),
        policy: "script-src 'self'",
      },
    },
  };
  for (const [name, text] of [
    ['index.html', '<!doctype html>'],
    ['assets/main-abc.js', script],
  ] as const) {
    await Bun.write(join(folder, name), text);
    await Bun.write(join(folder, `${name}.br`), brotliCompressSync(text));
    await Bun.write(join(folder, `${name}.gz`), gzipSync(text));
  }
  await Bun.write(join(folder, 'secret.txt'), 'never served');
  await Bun.write(join(folder, 'manifest.json'), JSON.stringify(manifest));
});
afterAll(() => rm(folder, { recursive: true }));

const ask = (path: string, init: RequestInit = {}): Response | undefined =>
  openAssets(folder, { fresh: false }).respond(new Request(`http://127.0.0.1${path}`, init));
const tag = (response: Response | undefined): string => response?.headers.get('etag') ?? 'none';

describe('assets', () => {
  test('the page is revalidated each time, a hashed file is cached forever', () => {
    expect(ask('/')?.headers.get('cache-control')).toBe('no-cache');
    expect(ask('/')?.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(ask('/assets/main-abc.js')?.headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    );
    expect(ask('/assets/main-abc.js')?.headers.get('content-security-policy')).toBeNull();
    expect(ask('/assets/worker-abc.js')?.headers.get('content-security-policy')).toBe("script-src 'self'");
  });

  test('each encoding decodes to the same file and has its own tag', async () => {
    const body = async (accept: string) => {
      const response = ask('/assets/main-abc.js', { headers: { 'accept-encoding': accept } });
      return { response, bytes: new Uint8Array((await response?.arrayBuffer()) ?? new ArrayBuffer()) };
    };
    const brotli = await body('gzip, deflate, br, zstd');
    const gzip = await body('gzip');
    const plain = await body('');
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(script);
    expect(gunzipSync(gzip.bytes).toString()).toBe(script);
    expect(new TextDecoder().decode(plain.bytes)).toBe(script);
    expect(brotli.response?.headers.get('content-encoding')).toBe('br');
    expect(gzip.response?.headers.get('content-encoding')).toBe('gzip');
    expect(plain.response?.headers.get('content-encoding')).toBeNull();
    expect(plain.response?.headers.get('vary')).toBe('accept-encoding');
    expect(new Set([brotli, gzip, plain].map(({ response }) => tag(response))).size).toBe(3);
  });

  test('only files in the manifest are served', () => {
    const strangers = ['/secret.txt', '/manifest.json', '/assets/', '/__proto__', '/constructor', '/assets'];
    for (const path of strangers) expect(ask(path)).toBeUndefined();
    for (const path of ['/assets/../secret.txt', '/%2e%2e/secret.txt', '/assets/..%2fsecret.txt']) {
      expect(ask(path)).toBeUndefined();
    }
    expect(ask('/', { method: 'POST' })).toBeUndefined();
  });
});

test.each([
  [null, 'identity'],
  ['gzip, br', 'br'],
  ['br;q=0, *', 'gzip'],
  ['identity;q=1, br;q=0.5', 'identity'],
  ['br;q=nonsense', 'identity'],
] as const)('a caller that accepts %p is answered in %s', (accept, expected) => {
  expect(chooseEncoding(accept, ['br', 'gzip'])).toBe(expected);
  expect(acceptsGzip(accept)).toBe(accept?.includes('gzip') === true || accept?.includes('*') === true);
});
