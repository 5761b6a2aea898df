import { expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLocalFiles } from '#platform/http/localFiles.ts';
import { tempFolders } from '#support/tempFolder.ts';

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

test('files are served under any name: spaces, letters of any language, percent signs', async () => {
  const { get } = prepare();
  const text = async (path: string) => (await get(path))?.text();
  expect(await text('/local/logo%20one.svg')).toBe('<svg/>');
  expect(await text('/local/k%C3%A4fer%20%E7%94%B2%E8%99%AB.txt')).toBe('beetle');
  expect(await text('/local/100%25.txt')).toBe('all');
  expect(await text('/local/a%252fb.txt')).toBe('a name with an escape in it');
  expect(await text('/local/inside.html')).toBe('<p>hello</p>');
});

test('a changing file is served whole each time, shorter or longer, whatever was requested before', async () => {
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

const outside = [
  '/local/../bellbird.db',
  '/local/..%2fbellbird.db',
  '/local/..%2f..%2fetc%2fpasswd',
  '/local/%2e%2e%2fbellbird.db',
  '/local/..%5cbellbird.db',
  '/local/sub/..%2f..%2fbellbird.db',
  '/local/%252e%252e%252fbellbird.db',
  '/local/up/bellbird.db',
  '/local/.git/config',
  '/local/sub/page.html%00',
  '/local//etc/passwd',
  '/local/%00',
  '/local/%E0%A4%A',
  '/local/link.txt',
  '/local/.env',
  '/local/sub',
  `/local/${'x'.repeat(5000)}`,
];
for (const path of outside) {
  test(`nothing is served at ${path.slice(0, 40)}`, async () => {
    const { get } = prepare();
    expect(await get(path)).toBeUndefined();
  });
}
