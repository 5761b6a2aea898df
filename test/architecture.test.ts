import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import {
  brokenRules,
  findCycles,
  findUses,
  parseSource,
  readSources,
  reachableFrom,
  type Rule,
  type SourceFile,
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

/** Files that may compare with the name of a market source, and why. Everybody else reads what the source declares. */
const sourceNamers = {
  'src/config.ts': 'checks what else a source must be configured with',
  'src/sources/announcements/choose.ts': 'makes the source of announcements that the configuration names',
  'src/sources/quotes/choose.ts': 'makes the source that the configuration names',
  'src/sources/calendar/choose.ts': 'makes the calendar that the configuration names',
  'src/domain/market/quoteLink.ts': 'knows a quote site of that name, which is no source',
} as const;

const SOURCE_NAME = /["'](?:simulator|tradingview|ingest|replay)["']/.source;
/** Code that asks which market source runs. */
const asksForSource = new RegExp(
  [
    `[!=]==?\\s*${SOURCE_NAME}`,
    `${SOURCE_NAME}\\s*[!=]==?`,
    `\\bcase ${SOURCE_NAME}`,
    `\\b(?:source\\.name|source\\.label\\(\\)|config\\.feed)\\s*[!=]==?`,
    `\\b(?:source\\.name|config\\.feed)\\.`,
    `\\b(?:includes|has)\\((?:\\w+\\.)*(?:source\\.name|config\\.feed)\\b`,
  ].join('|'),
);

/** Longer than the rest for a reason that is written here; the number is the most lines it may have. */
const longFiles: Record<string, number> = {};

/**
 * The rooms of the server and what each may import besides itself, as values. What is not listed here stands above
 * them all: configuration, composition, the command line.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ['lib'],
  db: ['lib'],
  recording: ['domain', 'lib', 'market'],
  sources: ['domain', 'lib', 'recording'],
  outbound: ['db', 'domain', 'lib'],
  market: ['db', 'domain', 'lib'],
  stream: ['domain', 'lib', 'market'],
  http: ['db', 'domain', 'lib'],
  install: ['db', 'domain', 'lib'],
  features: [
    'db',
    'domain',
    'http',
    'install',
    'lib',
    'market',
    'outbound',
    'recording',
    'sources',
    'stream',
  ],
};

const roomOf = (path: string): string | undefined => path.match(/^src\/([^/]+)\//)?.[1];
const tierOf = (path: string): string | undefined => path.match(/^web\/([^/]+)\//)?.[1];

const rules: Record<string, Rule> = {
  'each room of the server imports only what lies below it': (from, to) => {
    const allowed = ROOMS[roomOf(from) ?? ''];
    if (!allowed || !to.startsWith('src/')) return null;
    const room = roomOf(to) ?? 'the top';
    if (room === roomOf(from) || allowed.includes(room)) return null;
    return `${roomOf(from)} may import ${allowed.join(', ') || 'nothing of ours'}`;
  },
  'the server knows nothing of the web': (from, to) =>
    from.startsWith('src/') && to.startsWith('web/') ? 'the server must not need the pages' : null,
  'web takes only rules and basics from the server': (from, to) =>
    from.startsWith('web/') && to.startsWith('src/') && !/^src\/(domain|lib)\//.test(to)
      ? 'only src/domain and src/lib run in the browser'
      : null,
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
  'only the composition makes features': (from, to) =>
    from.startsWith('src/') &&
    !/^src\/compose(?:\/\w+)?\.ts$/.test(from) &&
    /^src\/features\/[^/]+\/index\.ts$/.test(to)
      ? 'take its service from the composition'
      : null,
  'only the server composes': (from, to) =>
    from.startsWith('src/') &&
    !/^src\/(?:server\.ts|compose\.ts|compose\/)/.test(from) &&
    /^src\/compose(?:\.ts|\/)/.test(to)
      ? 'a part is given what it needs'
      : null,
  'web features do not know each other': (from, to) => {
    const own = feature(from, 'web');
    const other = feature(to, 'web');
    return own && other && own !== other ? 'compose them in web/app, share through web/shared' : null;
  },
  'web features and shared parts do not know the app': (from, to) =>
    /^(features|shared)$/.test(tierOf(from) ?? '') && tierOf(to) === 'app'
      ? 'the direction is the other way'
      : null,
  'shared parts do not know the features': (from, to) =>
    tierOf(from) === 'shared' && tierOf(to) === 'features' ? 'the direction is the other way' : null,
};

/** Counts type imports too: a control that names a type of the product knows the product. */
const uiStandsAlone: Rule = (from, to) =>
  tierOf(from) === 'ui' && /^(src|web)\//.test(to) && tierOf(to) !== 'ui' && !to.startsWith('src/lib/')
    ? 'web/ui knows nothing of the product'
    : null;

/** Counts type imports too: other streams than the market's are built on it. */
const sseStandsAlone: Rule = (from, to) =>
  from.startsWith('src/stream/sse/') && /^(src|web)\//.test(to) && !/^src\/(lib|stream\/sse)\//.test(to)
    ? 'src/stream/sse knows nothing of what it carries'
    : null;

describe('directions', () => {
  for (const [name, rule] of Object.entries(rules)) {
    test(name, () => expect(brokenRules(files, rule)).toEqual([]));
  }

  test('web/ui knows nothing of the product, not even its types', () => {
    expect(brokenRules(files, uiStandsAlone, 'with types')).toEqual([]);
  });

  test('server-sent events know nothing of the market, not even its types', () => {
    expect(brokenRules(files, sseStandsAlone, 'with types')).toEqual([]);
  });

  test('what the browser runs needs no server', () => {
    const shared = [...below('src/domain'), ...below('web')].map(({ path }) => path);
    expect(serverModules(reachableFrom(files, shared))).toEqual([]);
  });

  test('no circles', () => expect(findCycles(files)).toEqual([]));
});

/** Modules of the operating system that a file imports, as sentences. */
const serverModules = (found: readonly SourceFile[]): string[] =>
  found.flatMap(({ path, imports }) =>
    imports.filter((to) => /^(node:|bun$|bun:)/.test(to)).map((to) => `${path} imports ${to}`),
  );

describe('habits', () => {
  test('only main.ts and config.ts see the environment, and one module sets the mode', () => {
    const product = [...below('src'), ...below('web')];
    const allowed = ['src/main.ts', 'src/config.ts', 'src/productionMode.ts'];
    expect(findUses(product, /\b(process\.env|Bun\.env|import\.meta\.env)\b/, allowed)).toEqual([]);
  });

  test('only main.ts reads the clock', () => {
    const reading = /\b(Date\.now|new Date(?! ?\()|performance\.now|Temporal\.Now)\b/;
    expect(findUses(below('src'), reading, Object.keys(clockReaders))).toEqual([]);
  });

  test('AG Grid is there to be measured against, and in nothing of the product', () => {
    const users = files.filter(({ allImports }) => allImports.some((name) => name.startsWith('ag-grid')));
    expect(users.map(({ path }) => path)).toEqual(['scripts/bench/support/agGridPage.ts']);
  });

  test('transactions are synchronous, as an await inside would commit early', () => {
    expect(findUses(below('src'), /transaction\(\s*async/)).toEqual([]);
  });

  test('nobody asks which market source runs', () => {
    expect(findUses(below('src'), asksForSource, Object.keys(sourceNamers))).toEqual([]);
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
    const naming = findUses(below('src'), asksForSource).map((use) => use.split(':')[0]);
    expect([...new Set(naming)].sort()).toEqual(Object.keys(sourceNamers).sort());
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
    const rooms = 'each room of the server imports only what lies below it';
    expect(broken(rooms, 'src/domain/a.ts', use)).toEqual([
      'src/domain/a.ts imports src/market/market.ts: domain may import lib',
    ]);
    expect(broken(rooms, 'src/domain/a.ts', use.replace('{', 'type {'))).toEqual([]);
    expect(broken(rooms, 'src/features/a.ts', use)).toEqual([]);
    expect(broken(rooms, 'src/lib/a.ts', "import { x } from '../domain/format.ts'; x();")).toHaveLength(1);
    expect(broken(rooms, 'src/market/a.ts', "import { x } from '../config.ts'; x();")).toHaveLength(1);
    const store = "import { s } from '../calls/store.ts'; s();";
    const viaService = "import { s } from '../calls/service.ts'; s();";
    const feature = 'a feature calls another only through its service';
    expect(broken(feature, 'src/features/alerts/index.ts', store)).toHaveLength(1);
    expect(broken(feature, 'src/features/alerts/index.ts', viaService)).toEqual([]);
    const make = "import { createCalls } from './features/calls/index.ts'; createCalls();";
    const makes = 'only the composition makes features';
    expect(broken(makes, 'src/server.ts', make)).toHaveLength(1);
    expect(broken(makes, 'src/compose.ts', make)).toEqual([]);
    expect(broken(makes, 'src/app.ts', make.replace('{', 'type {'))).toEqual([]);
    const compose = "import { compose } from '../compose.ts'; compose();";
    expect(broken('only the server composes', 'src/cli/check.ts', compose)).toHaveLength(1);
    const lazy = "export const page = () => import('../login/LoginPage.tsx');";
    expect(broken('web features do not know each other', 'web/features/admin/a.tsx', lazy)).toHaveLength(1);
    const server = "import { app } from '../../src/app.ts'; app();";
    const onlyRules = 'web takes only rules and basics from the server';
    expect(broken(onlyRules, 'web/shared/api.ts', server)).toHaveLength(1);
    const app = "import { x } from '../../app/Header.tsx'; x();";
    expect(
      broken('web features and shared parts do not know the app', 'web/features/calls/a.ts', app),
    ).toHaveLength(1);
    const screen = "import { x } from '../features/calls/state.ts'; x();";
    expect(broken('shared parts do not know the features', 'web/shared/a.ts', screen)).toHaveLength(1);
  });

  test('types of the product in a control', () => {
    const own = "import type { Stock } from '../../src/domain/market/stock.ts'; export type A = Stock;";
    const basic = "import { isRecord } from '../../src/lib/json.ts'; isRecord(1);";
    expect(brokenRules([file('web/ui/a.ts', own)], uiStandsAlone, 'with types')).toHaveLength(1);
    expect(brokenRules([file('web/ui/a.ts', own)], uiStandsAlone)).toEqual([]);
    expect(brokenRules([file('web/ui/a.ts', basic)], uiStandsAlone, 'with types')).toEqual([]);
  });

  test('types of the market in the general stream', () => {
    const market = "import type { Market } from '../../market/types.ts'; export type A = Market;";
    const clock = "import type { Clock } from '../../lib/clock.ts'; export type A = Clock;";
    expect(brokenRules([file('src/stream/sse/a.ts', market)], sseStandsAlone, 'with types')).toHaveLength(1);
    expect(brokenRules([file('src/stream/market/a.ts', market)], sseStandsAlone, 'with types')).toEqual([]);
    expect(brokenRules([file('src/stream/sse/a.ts', clock)], sseStandsAlone, 'with types')).toEqual([]);
  });

  test.each([
    "export const a = (source) => source.name !== 'simulator';",
    "export const a = (feed) => 'tradingview' === feed;",
    "export function a(config) { switch (config.feed) { case 'ingest': return 1; } }",
    'export const a = (core, name) => core.source.name === name;',
    "export const a = (source) => source.label() === 'Simulated';",
    "export const a = (source) => source.name.startsWith('sim');",
    'export const a = (live, deps) => live.includes(deps.source.name);',
    'export const a = (live, config) => live.has(config.feed);',
  ])('code that asks which source runs: %s', (code) => {
    expect(findUses([file('src/a.ts', code)], asksForSource)).toHaveLength(1);
  });

  test.each([
    'export const a = (source) => ({ name: source.name, label: source.label() });',
    "export const a = (source) => source.days === 'independent';",
    "export const a = (log, config) => log.child(config.feed).info('simulator');",
  ])('code that names a source, or reads what it declares: %s', (code) => {
    expect(findUses([file('src/a.ts', code)], asksForSource)).toEqual([]);
  });

  test('modules of the server behind a rule', () => {
    const rule = file('src/domain/a.ts', "import { b } from '../lib/b.ts'; b();");
    const basic = file(
      'src/lib/b.ts',
      "import { readFileSync } from 'node:fs'; export const b = readFileSync;",
    );
    expect(serverModules(reachableFrom([rule, basic], ['src/domain/a.ts']))).toEqual([
      'src/lib/b.ts imports node:fs',
    ]);
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
