import { expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalFiles } from '../../../src/http/localFiles.ts';
import { tempFolders } from '../../support/tempFolder.ts';

const folder = tempFolders();

const prepare = () => {
  const data = folder();
  const pub = join(data, 'public');
  mkdirSync(join(pub, 'sub'), { recursive: true });
  writeFileSync(join(data, 'bellbird.db'), 'the database');
  writeFileSync(join(pub, 'logo one.svg'), '<svg/>');
  writeFileSync(join(pub, '.env'), 'hidden');
  writeFileSync(join(pub, 'sub', 'page.html'), '<p>hello</p>');
  symlinkSync(join(data, 'bellbird.db'), join(pub, 'link.txt'));
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

test('answers 304 to who has the file already, and the new one when it changed', async () => {
  const { get, pub } = prepare();
  const etag = (await get('/local/sub/page.html'))?.headers.get('etag') ?? '';
  const again = () => get('/local/sub/page.html', { headers: { 'if-none-match': etag } });
  expect((await again())?.status).toBe(304);
  writeFileSync(join(pub, 'sub', 'page.html'), '<p>changed</p>');
  expect(await (await again())?.text()).toBe('<p>changed</p>');
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
