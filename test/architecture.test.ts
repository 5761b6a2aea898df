import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  brokenRules,
  findCycles,
  findUses,
  parseSource,
  readSources,
  type Rule,
} from './support/sourceGraph.ts';

const root = join(import.meta.dir, '..');
const files = await readSources(root, ['src', 'web', 'scripts', 'test']);
const below = (folder: string) => files.filter(({ path }) => path.startsWith(`${folder}/`));
const feature = (path: string, base: string): string | undefined =>
  path.startsWith(`${base}/features/`) ? path.split('/')[2] : undefined;

/** Files that may read the machine's clock, and why. Everything else gets a `Clock`. */
const clockReaders = {
  'src/main.ts': 'makes the one wall clock',
} as const;

/** Longer than the rest for a reason that is written here; the number is the most lines it may have. */
const longFiles: Record<string, number> = {};

const rules: Record<string, Rule> = {
  'domain stands alone': (from, to) => {
    if (!from.startsWith('src/domain/')) return null;
    if (/^(node:|bun$|bun:)/.test(to)) return 'the rules run in the browser too';
    const ours = /^(src|web|scripts|test)\//.test(to) && !to.startsWith('src/domain/');
    return ours ? 'the rules of the trade import nothing else of ours' : null;
  },
  'web takes only rules and types from the server': (from, to) =>
    from.startsWith('web/') && to.startsWith('src/') && !to.startsWith('src/domain/')
      ? 'only src/domain runs in the browser'
      : null,
  'the server knows nothing of the web': (from, to) =>
    from.startsWith('src/') && to.startsWith('web/') ? 'the server must not need the pages' : null,
  'the product does not import tests or scripts': (from, to) =>
    /^(src|web)\//.test(from) && /^(test|scripts)\//.test(to) ? 'it would be shipped' : null,
  'a feature calls another only through its service': (from, to) => {
    const own = feature(from, 'src');
    const other = feature(to, 'src');
    if (!own || !other || own === other) return null;
    return to === `src/features/${other}/service.ts`
      ? null
      : `only features/${other}/service.ts may be called`;
  },
  'web features do not know each other': (from, to) => {
    const own = feature(from, 'web');
    const other = feature(to, 'web');
    return own && other && own !== other ? 'compose them in web/app, share through web/lib and web/ui' : null;
  },
  'shared web parts do not know the features': (from, to) =>
    /^web\/(lib|ui)\//.test(from) && /^web\/(features|app)\//.test(to)
      ? 'the direction is the other way'
      : null,
};

describe('directions', () => {
  for (const [name, rule] of Object.entries(rules)) {
    test(name, () => expect(brokenRules(files, rule)).toEqual([]));
  }

  test('no circles', () => expect(findCycles(files)).toEqual([]));
});

describe('habits', () => {
  test('only main.ts and config.ts see the environment', () => {
    const product = [...below('src'), ...below('web')];
    const allowed = ['src/main.ts', 'src/config.ts'];
    expect(findUses(product, /\b(process\.env|Bun\.env|import\.meta\.env)\b/, allowed)).toEqual([]);
  });

  test('only main.ts reads the clock', () => {
    const reading = /\b(Date\.now|new Date(?! ?\()|performance\.now|Temporal\.Now)\b/;
    expect(findUses(below('src'), reading, Object.keys(clockReaders))).toEqual([]);
  });

  test('transactions are synchronous, as an await inside would commit early', () => {
    expect(findUses(below('src'), /transaction\(\s*async/)).toEqual([]);
  });

  test('the server keeps no state in its modules', () => {
    expect(findUses(below('src'), /^(export )?(let|var) \w+/m)).toEqual([]);
  });

  test('no barrels', () =>
    expect(findUses([...below('src'), ...below('web')], /export \* from/)).toEqual([]));

  test('tests replace no modules and leave none out', () => {
    const tests = below('test').filter(({ path }) => path !== 'test/architecture.test.ts');
    expect(findUses(tests, /\bmock\.module\(|\b(test|describe|it)\.only\(/)).toEqual([]);
  });

  test('files stay small enough to read at one go', () => {
    const limit = (path: string): number => longFiles[path] ?? (path.startsWith('test/') ? 400 : 300);
    const tooLong = files.filter(({ path, lines }) => lines > limit(path));
    expect(tooLong.map(({ path, lines }) => `${path}: ${lines} lines`)).toEqual([]);
  });

  test('exceptions are still needed', () => {
    const paths = new Set(files.map(({ path }) => path));
    const listed = [...Object.keys(clockReaders), ...Object.keys(longFiles)];
    expect(listed.filter((path) => !paths.has(path))).toEqual([]);
  });
});

describe('the checks themselves find what they look for', () => {
  const file = (path: string, text: string) => parseSource(path, text);
  const broken = (name: string, path: string, text: string): string[] => {
    const rule = rules[name];
    if (!rule) throw new Error(`There is no rule called ${name}.`);
    return brokenRules([file(path, text)], rule);
  };

  test('forbidden imports, but not types', () => {
    const use = "import { x } from '../market/market.ts'; x();";
    expect(broken('domain stands alone', 'src/domain/a.ts', use)).toHaveLength(1);
    expect(broken('domain stands alone', 'src/domain/a.ts', use.replace('{', 'type {'))).toEqual([]);
    const store = "import { s } from '../calls/store.ts'; s();";
    const viaService = "import { s } from '../calls/service.ts'; s();";
    const feature = 'a feature calls another only through its service';
    expect(broken(feature, 'src/features/alerts/index.ts', store)).toHaveLength(1);
    expect(broken(feature, 'src/features/alerts/index.ts', viaService)).toEqual([]);
    const lazy = "export const page = () => import('../login/LoginPage.tsx');";
    expect(broken('web features do not know each other', 'web/features/admin/a.tsx', lazy)).toHaveLength(1);
    const server = "import { app } from '../../src/app.ts'; app();";
    expect(broken('web takes only rules and types from the server', 'web/lib/api.ts', server)).toHaveLength(
      1,
    );
  });

  test('circles', () => {
    const a = file('src/a.ts', "import { b } from './b.ts'; export const a = () => b();");
    const b = file('src/b.ts', "import { c } from './c.ts'; export const b = () => c();");
    const c = file('src/c.ts', "import { a } from './a.ts'; export const c = () => a();");
    const free = file('src/c.ts', "import type { a } from './a.ts'; export const c: typeof a = () => 1;");
    expect(findCycles([a, b, c])).toEqual(['src/a.ts → src/b.ts → src/c.ts → src/a.ts']);
    expect(findCycles([a, b, free])).toEqual([]);
  });

  test('uses, but not comments', () => {
    const code = '/* Date.now() */ // new Date()\nexport const now = () => Date.now();';
    expect(findUses([file('src/a.ts', code)], /\b(Date\.now|new Date\(\))/)).toEqual(['src/a.ts: Date.now']);
    expect(findUses([file('src/a.ts', code)], /Date\.now/, ['src/a.ts'])).toEqual([]);
  });
});
