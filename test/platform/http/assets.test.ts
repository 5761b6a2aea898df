import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { openAssets, type AssetEntry, type AssetManifest } from '../../../src/platform/http/assets.ts';

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
  test('the page is checked again each time, a hashed file is kept for ever', () => {
    expect(ask('/')?.headers.get('cache-control')).toBe('no-cache');
    expect(ask('/')?.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(ask('/assets/main-abc.js')?.headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable',
    );
    expect(ask('/assets/main-abc.js')?.headers.get('content-security-policy')).toBeNull();
    expect(ask('/assets/worker-abc.js')?.headers.get('content-security-policy')).toBe("script-src 'self'");
  });

  test('each encoding decodes to the same file and has a tag of its own', async () => {
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

  test('a known tag answers 304 without a body', async () => {
    const etag = tag(ask('/'));
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = ask('/', { headers: { 'if-none-match': header } });
      expect(response?.status).toBe(304);
      expect(await response?.text()).toBe('');
      expect(tag(response)).toBe(etag);
    }
    expect(ask('/', { headers: { 'if-none-match': '"other"' } })?.status).toBe(200);
    const asBrotli = { 'if-none-match': etag, 'accept-encoding': 'br' };
    expect(ask('/', { headers: asBrotli })?.status).toBe(200);
  });

  test('HEAD answers the headers alone', async () => {
    const response = ask('/assets/main-abc.js', { method: 'HEAD' });
    expect(response?.headers.get('content-length')).toBe(String(script.length));
    expect(await response?.text()).toBe('');
  });

  test('only what the manifest names is served', () => {
    const strangers = ['/secret.txt', '/manifest.json', '/assets/', '/__proto__', '/constructor', '/assets'];
    for (const path of strangers) expect(ask(path)).toBeUndefined();
    for (const path of ['/assets/../secret.txt', '/%2e%2e/secret.txt', '/assets/..%2fsecret.txt']) {
      expect(ask(path)).toBeUndefined();
    }
    expect(ask('/', { method: 'POST' })).toBeUndefined();
  });

  test('nothing built answers nothing, and a newer build is seen when asked to', async () => {
    const other = await mkdtemp(join(tmpdir(), 'bellbird-assets-'));
    try {
      const assets = openAssets(other, { fresh: true });
      const page = () => assets.respond(new Request('http://127.0.0.1/'));
      expect(page()).toBeUndefined();
      await Bun.write(join(other, 'index.html'), 'built');
      const index = {
        file: 'index.html',
        contentType: 'text/html',
        hash: 'h',
        immutable: false,
        encodings: [],
      };
      const manifest = {
        contentSecurityPolicy: '',
        entries: { '/index.html': index },
      } satisfies AssetManifest;
      await Bun.write(join(other, 'manifest.json'), JSON.stringify(manifest));
      expect(await page()?.text()).toBe('built');
    } finally {
      await rm(other, { recursive: true });
    }
  });
});
