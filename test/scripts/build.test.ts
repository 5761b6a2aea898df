import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { hashInputs } from '#scripts/build/inputs.ts';
import { withoutPrefixedAny } from '#scripts/build/sheets.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();

async function projectWith(files: Record<string, string>): Promise<string> {
  const root = folder();
  for (const [path, text] of Object.entries(files)) await Bun.write(join(root, path), text);
  return root;
}

describe('the hash that decides whether a build is stale', () => {
  const files = { 'src/main.ts': 'a', 'web/main.tsx': 'b', 'migrations/1.sql': 'c', 'bun.lock': 'd' };

  test('changes with any input, its name and the commit, but not with other files', async () => {
    const base = await hashInputs(await projectWith(files), 'x');
    const changes: Record<string, string>[] = [
      { 'src/main.ts': 'changed' },
      { 'web/styles/new.css': '' },
      { 'migrations/2.sql': 'e' },
      { 'bun.lock': 'changed' },
    ];
    for (const change of changes) {
      expect(await hashInputs(await projectWith({ ...files, ...change }), 'x')).not.toBe(base);
    }
    expect(await hashInputs(await projectWith(files), 'y')).not.toBe(base);
    const moved = { ...files, 'src/other.ts': 'a', 'src/main.ts': '' };
    expect(await hashInputs(await projectWith(moved), 'x')).not.toBe(base);
    const unrelated = { ...files, 'README.md': 'new', 'test/a.test.ts': 'new', 'data/bellbird.db': 'new' };
    expect(await hashInputs(await projectWith(unrelated), 'x')).toBe(base);
  });
});

/** The bundler’s output for a sheet. */
async function bundled(css: string, minify: boolean): Promise<string> {
  const entry = '/sheet/sheet.css';
  const { outputs } = await Bun.build({ entrypoints: [entry], files: { [entry]: css }, minify });
  return (await outputs[0]?.text()) ?? '';
}

const SHEET = `
@layer ui, app;
@layer app {
  .table { color: red; & > :is(td, th) { padding: 1px; &:first-child { margin: 0; } } }
  @media (max-width: 640px) { .table :is(button, .link):hover { color: blue; } }
  .last { color: green; }
}`;

for (const minify of [true, false]) {
  test(`a rule with :is() is in the sheet once, with its own specificity (minified: ${minify})`, async () => {
    const css = await bundled(SHEET, minify);
    // The bundler still adds it; if not, withoutPrefixedAny can be removed.
    expect(css).toContain(':-webkit-any(');
    const clean = withoutPrefixedAny(css);
    expect(clean).not.toContain('-any(');
    const rules = (text: string) => text.match(/[^{};]{1,200}\{/g)?.map((rule) => rule.trim()) ?? [];
    expect(rules(clean)).toEqual(rules(css).filter((rule) => !rule.includes('-any(')));
    expect(clean).toContain('ui');
    expect(clean.match(/:is\(/g)).toHaveLength(3);
  });
}
