import { expect, test } from 'bun:test';
import { mkdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalFiles } from '../../../src/platform/http/localFiles.ts';
import { tempFolders } from '../../support/tempFolder.ts';

const folder = tempFolders();

const prepare = () => {
  const data = folder();
  const pub = join(data, 'public');
  mkdirSync(join(pub, 'sub'), { recursive: true });
  writeFileSync(join(data, 'bellbird.db'), 'the database');
  writeFileSync(join(pub, 'logo one.svg'), '<svg/>');
  writeFileSync(join(pub, 'käfer 甲虫.txt'), 'beetle');
  writeFileSync(join(pub, '100%.txt'), 'all');
  writeFileSync(join(pub, 'a%2fb.txt'), 'a name with an escape in it');
  writeFileSync(join(pub, '.env'), 'hidden');
  mkdirSync(join(pub, '.git'));
  writeFileSync(join(pub, '.git', 'config'), 'hidden');
  writeFileSync(join(pub, 'sub', 'page.html'), '<p>hello</p>');
  symlinkSync(join(data, 'bellbird.db'), join(pub, 'link.txt'));
  symlinkSync(data, join(pub, 'up'));
  symlinkSync(join(pub, 'sub', 'page.html'), join(pub, 'inside.html'));
  const serve = createLocalFiles(pub);
  const get = (path: string, init: RequestInit = {}) => serve(new Request(`http://localhost${path}`, init));
  return { pub, get };
};

test('serves files of the folder and of folders in it', async () => {
  const { get } = prepare();
  const logo = await get('/local/logo%20one.svg');
  expect(await logo?.text()).toBe('<svg/>');
  expect(logo?.headers.get('content-type')).toContain('image/svg+xml');
  expect(logo?.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await (await get('/local/sub/page.html'))?.text()).toBe('<p>hello</p>');
});

test('any name a file can have: blanks, letters of any language, percent signs', async () => {
  const { get } = prepare();
  const text = async (path: string) => (await get(path))?.text();
  expect(await text('/local/logo%20one.svg')).toBe('<svg/>');
  expect(await text('/local/k%C3%A4fer%20%E7%94%B2%E8%99%AB.txt')).toBe('beetle');
  expect(await text('/local/100%25.txt')).toBe('all');
  expect(await text('/local/a%252fb.txt')).toBe('a name with an escape in it');
  expect(await text('/local/inside.html')).toBe('<p>hello</p>');
});

test('answers 304 to who has the file already, and the new one when it changed', async () => {
  const { get, pub } = prepare();
  const etag = (await get('/local/sub/page.html'))?.headers.get('etag') ?? '';
  const again = () => get('/local/sub/page.html', { headers: { 'if-none-match': etag } });
  expect((await again())?.status).toBe(304);
  writeFileSync(join(pub, 'sub', 'page.html'), '<p>changed</p>');
  expect(await (await again())?.text()).toBe('<p>changed</p>');
});

test('a file that changes is served whole each time, shorter or longer, whatever was asked before', async () => {
  const { get, pub } = prepare();
  for (const name of ['sub/page.html', 'note.txt']) {
    for (const content of ['first', 'second, and longer than the first', '3rd', '']) {
      writeFileSync(join(pub, name), content);
      const response = await get(`/local/${name}`);
      expect(await response?.text()).toBe(content);
      expect((await get(`/local/${name}`, { method: 'HEAD' }))?.headers.get('etag')).toBe(
        response?.headers.get('etag') ?? '',
      );
    }
    unlinkSync(join(pub, name));
    expect(await get(`/local/${name}`)).toBeUndefined();
  }
});

test('the folder may be made, removed and made again while the server runs', async () => {
  const data = folder();
  const pub = join(data, 'public');
  const serve = createLocalFiles(pub);
  const get = () => serve(new Request('http://localhost/local/a.html'));
  expect(await get()).toBeUndefined();
  for (const content of ['one', 'number two']) {
    mkdirSync(pub);
    writeFileSync(join(pub, 'a.html'), content);
    expect(await (await get())?.text()).toBe(content);
    rmSync(pub, { recursive: true });
    expect(await get()).toBeUndefined();
  }
});

test('through a real server: type, length, a part of it, and a host name of one letter', async () => {
  const { pub } = prepare();
  const serve = createLocalFiles(pub);
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => (await serve(request)) ?? new Response('none', { status: 404 }),
  });
  const get = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${server.port}/local/sub/page.html`, { headers });
  try {
    const whole = await get({ host: 'h' });
    expect(whole.headers.get('content-length')).toBe('12');
    expect(whole.headers.get('content-type')).toContain('text/html');
    expect(whole.headers.get('cache-control')).toBe('no-cache');
    const part = await get({ range: 'bytes=3-7' });
    expect([part.status, await part.text()]).toEqual([206, 'hello']);
  } finally {
    await server.stop(true);
  }
});

test('HEAD has no body; other methods are not served', async () => {
  const { get } = prepare();
  expect(await (await get('/local/sub/page.html', { method: 'HEAD' }))?.text()).toBe('');
  expect(await get('/local/sub/page.html', { method: 'POST' })).toBeUndefined();
});

const outside = [
  '/local/../bellbird.db',
  '/local/%2e%2e/bellbird.db',
  '/local/..%2fbellbird.db',
  '/local/..%2f..%2fetc%2fpasswd',
  '/local/sub/..%5c..%5cbellbird.db',
  '/local/%2e%2e%2fbellbird.db',
  '/local/%2E%2E%2Fbellbird.db',
  '/local/..%5cbellbird.db',
  '/local/sub/..%2f..%2fbellbird.db',
  '/local/sub/%2e%2e%2f%2e%2e%2fbellbird.db',
  '/local/%252e%252e%252fbellbird.db',
  '/local/..%252fbellbird.db',
  '/local/%25252e%25252e%25252fbellbird.db',
  '/local/up/bellbird.db',
  '/local/.git/config',
  '/local/%2egit/config',
  '/local/sub/page.html%00',
  '/local/sub/page.html/',
  '/local//etc/passwd',
  '/local/%00',
  '/local/%E0%A4%A',
  '/local/link.txt',
  '/local/.env',
  '/local/sub',
  '/local/',
  '/local',
  '/local/nothing.txt',
  `/local/${'x'.repeat(5000)}`,
];
for (const path of outside) {
  test(`nothing at ${path.slice(0, 40)}`, async () => {
    const { get } = prepare();
    expect(await get(path)).toBeUndefined();
  });
}

test('nothing at all without the folder', async () => {
  const serve = createLocalFiles(join(folder(), 'public'));
  expect(await serve(new Request('http://localhost/local/logo.svg'))).toBeUndefined();
});
