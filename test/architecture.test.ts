import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { isPageCode, isSharedCode } from '../scripts/pageCode.ts';
import {
  brokenRules,
  findCycles,
  findUses,
  parseSource,
  reachableFrom,
  readSources,
  type Rule,
  type SourceFile,
} from './support/sourceGraph.ts';

const root = join(import.meta.dir, '..');
const files = await readSources(root, ['src', 'web', 'scripts', 'test']);
const below = (folder: string) => files.filter(({ path }) => path.startsWith(`${folder}/`));

/** Files that may read the machine’s clock, and why. All others receive a `Clock`. */
const clockReaders = {
  'src/main.ts': 'creates the only wall clock',
  'src/subjects/odds/server/worker.ts': 'is the first module of its thread',
  'src/admin/support/server/index.ts': 'compares with file times, which use the machine’s clock',
} as const;

/** Files that may compare with the name of a market source, and why. All others read what the source declares. */
const sourceNamers = {
  'src/config/config.ts': 'reads which source is configured, and checks what must be configured with it',
  'src/sources/announcements/choose.ts': 'creates the configured source of announcements',
  'src/sources/quotes/choose.ts': 'creates the configured source',
  'src/sources/calendar/choose.ts': 'creates the configured calendar',
  'src/sources/probes.ts': 'tests the configured sources',
  'src/market/rules/quoteSite.ts': 'has a quote site of that name, which is not a source',
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

/**
 * The rooms of the server and the other rooms whose values each may import. Files outside them may import
 * everything: configuration, composition, the command line, the API description.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  texts: ['lib', 'rules'],
  rules: ['lib', 'texts'],
  platform: ['lib', 'texts', 'rules'],
  market: ['lib', 'texts', 'rules', 'platform'],
  tables: ['lib', 'texts', 'rules', 'platform'],
  sources: ['lib', 'texts', 'rules', 'platform', 'market'],
  subjects: ['lib', 'texts', 'rules', 'platform', 'market', 'tables', 'sources'],
  relays: ['lib', 'texts', 'rules', 'platform', 'market'],
};

/** The rules and contracts of all subjects are one room: pure code that server and pages run. Their servers are one room too. */
function roomOf(path: string): string | undefined {
  if (isSharedCode(path) && !/^src\/(?:lib|texts)\//.test(path)) return 'rules';
  const [, room = ''] = /^src\/([^/]+)\//.exec(path) ?? [];
  if (room === 'subjects' || room === 'admin') return 'subjects';
  return room in ROOMS ? room : undefined;
}

/** A subject, or a section of administration. */
const sliceOf = (path: string): string | undefined => /^src\/(?:subjects|admin)\/\w+\//.exec(path)?.[0];
const tierOf = (path: string): string | undefined => path.match(/^web\/([^/]+)\//)?.[1];
/** What a subject’s pages offer to other subjects. */
const isOffered = (path: string): boolean =>
  path.includes('/web/shared/') || path.startsWith('src/admin/web/parts/');
const isServer = (path: string): boolean => path.startsWith('src/') && !isPageCode(path);

const server = files.filter(({ path }) => isServer(path));

const rules: Record<string, Rule> = {
  'each room of the server imports only rooms below it': (from, to) => {
    const own = isPageCode(from) ? undefined : roomOf(from);
    const allowed = ROOMS[own ?? ''];
    if (!allowed || !isServer(to)) return null;
    const room = roomOf(to) ?? 'the top';
    if (room === own || allowed.includes(room)) return null;
    return `${own} may import ${allowed.join(', ') || 'nothing of ours'}`;
  },
  'the server does not import the pages': (from, to) =>
    isServer(from) && isPageCode(to) ? 'the server must not need the pages' : null,
  'pages take only rules, texts and basics from the server': (from, to) =>
    isPageCode(from) && isServer(to) && !isSharedCode(to)
      ? 'only rules, src/texts and src/lib run in the browser'
      : null,
  'the product does not import tests or scripts': (from, to) =>
    /^(src|web)\//.test(from) && /^(test|scripts)\//.test(to) ? 'it would be shipped' : null,
  'a subject’s server calls another’s only through its service': (from, to) => {
    const own = sliceOf(from);
    const other = sliceOf(to);
    if (!own || !other || own === other || !to.startsWith(`${other}server/`)) return null;
    return to.endsWith('/service.ts') ? null : `only a service.ts of ${other} may be called`;
  },
  'only the composition creates the parts of a subject': (from, to) =>
    isServer(from) &&
    !/^src\/compose(?:\/\w+)?\.ts$/.test(from) &&
    sliceOf(from) !== sliceOf(to) &&
    /^src\/(?:subjects|admin)\/\w+\/server\/(?:\w+\/)?index\.ts$/.test(to)
      ? 'take its service from the composition'
      : null,
  'only the server uses the composition': (from, to) =>
    from.startsWith('src/') &&
    !/^src\/(?:server\.ts|compose\.ts|compose\/)/.test(from) &&
    /^src\/compose(?:\.ts|\/)/.test(to)
      ? 'a part receives what it needs'
      : null,
  'pages of a subject import only offered parts of another': (from, to) => {
    const isFrame = from.startsWith('web/app/') || from.startsWith('src/admin/web/');
    if (!isPageCode(from) || !isPageCode(to) || !sliceOf(to) || isFrame) return null;
    return sliceOf(from) === sliceOf(to) || isOffered(to)
      ? null
      : 'compose them in web/app, or offer it in web/shared';
  },
  'only the entry imports the app': (from, to) =>
    isPageCode(from) && tierOf(from) !== 'app' && from !== 'web/main.tsx' && tierOf(to) === 'app'
      ? 'only the entry may import web/app'
      : null,
};

/** Includes type imports: a control that uses a type of the product depends on the product. */
const uiIsIndependent: Rule = (from, to) =>
  tierOf(from) === 'ui' && /^(src|web)\//.test(to) && tierOf(to) !== 'ui' && !to.startsWith('src/lib/')
    ? 'web/ui must not depend on the product'
    : null;

/** Includes type imports: streams other than the market’s are built on it. */
const sseIsIndependent: Rule = (from, to) =>
  from.startsWith('src/platform/sse/') && /^(src|web)\//.test(to) && !/^src\/(lib|platform\/sse)\//.test(to)
    ? 'src/platform/sse must not depend on what it carries'
    : null;

/** Includes type imports: the platform depends on neither market nor subjects, the market on neither sources nor subjects. */
const lowerRoomsAreIndependent: Rule = (from, to) => {
  if (from.startsWith('src/platform/') && /^src\/(?:market|subjects|admin|tables|sources)\//.test(to)) {
    return 'src/platform must not depend on the market or a subject';
  }
  return from.startsWith('src/market/') && /^src\/(?:subjects|admin|sources)\//.test(to)
    ? 'src/market must not depend on a source or a subject'
    : null;
};

describe('directions', () => {
  for (const [name, rule] of Object.entries(rules)) {
    test(name, () => expect(brokenRules(files, rule)).toEqual([]));
  }

  test('web/ui does not import the product, not even types', () => {
    expect(brokenRules(files, uiIsIndependent, 'with types')).toEqual([]);
  });

  test('server-sent events do not import the market, not even types', () => {
    expect(brokenRules(files, sseIsIndependent, 'with types')).toEqual([]);
  });

  test('platform and market import nothing above them, not even types', () => {
    expect(brokenRules(files, lowerRoomsAreIndependent, 'with types')).toEqual([]);
  });

  test('browser code imports no server code', () => {
    const shared = files.filter(
      ({ path }) => isPageCode(path) || (isSharedCode(path) && !path.startsWith('src/lib/')),
    );
    const paths = shared.map(({ path }) => path);
    expect(serverModules(reachableFrom(files, paths))).toEqual([]);
  });

  test('there are no import cycles', () => expect(findCycles(files)).toEqual([]));

  test('there are no type import cycles except those with a reason', () => {
    const withTypes = files.map((one) => ({
      ...one,
      imports: one.allImports.filter((target) => !(target in SHARED_TYPES)),
    }));
    expect(findCycles(withTypes)).toEqual([]);
  });

  test('no new pair of subjects imports each other, not even types', () => {
    expect(mutualSubjects(files).filter((pair) => !KNOWN_CIRCLES.includes(pair))).toEqual([]);
  });
});

/** Files whose types name the things they are made of, and why. */
const SHARED_TYPES = {
  'src/platform/app.ts': 'the App lists the services and routes of parts, which are created from it',
  'src/subjects/calls/server/parts.ts':
    'the parts of calls use each other through the class that creates them',
  'src/subjects/alerts/server/engine/types.ts':
    'the parts of the alert engine use each other through one type',
} as const;

/** Subjects that import each other, types included. The architecture page gives each reason; the list may only shrink. */
const KNOWN_CIRCLES: readonly string[] = ['alerts ↔ chats', 'alerts ↔ stock', 'calls ↔ stock'];

const subjectOf = (path: string): string | undefined => /^src\/subjects\/(\w+)\//.exec(path)?.[1];

function mutualSubjects(found: readonly SourceFile[]): string[] {
  const uses = new Set<string>();
  for (const { path, allImports } of found) {
    for (const target of allImports) uses.add(`${subjectOf(path)} ↔ ${subjectOf(target)}`);
  }
  return [...uses].filter((pair) => {
    const [from = '', to = ''] = pair.split(' ↔ ');
    return from < to && !pair.includes('undefined') && uses.has(`${to} ↔ ${from}`);
  });
}

/** Imports of operating system modules, as sentences. */
const serverModules = (found: readonly SourceFile[]): string[] =>
  found.flatMap(({ path, imports }) =>
    imports.filter((to) => /^(node:|bun$|bun:)/.test(to)).map((to) => `${path} imports ${to}`),
  );

describe('conventions', () => {
  test('only main.ts and config.ts read the environment, and one module sets the mode', () => {
    const product = [...below('src'), ...below('web')];
    const allowed = ['src/main.ts', 'src/config/config.ts', 'src/config/productionMode.ts'];
    expect(findUses(product, /\b(process\.env|Bun\.env|import\.meta\.env)\b/, allowed)).toEqual([]);
  });

  test('only main.ts reads the clock', () => {
    const reading = /\b(Date\.now|new Date(?! ?\()|performance\.now|Temporal\.Now)\b/;
    expect(findUses(server, reading, Object.keys(clockReaders))).toEqual([]);
  });

  test('AG Grid is only used in benchmarks', () => {
    const users = files.filter(({ allImports }) => allImports.some((name) => name.startsWith('ag-grid')));
    expect(users.map(({ path }) => path)).toEqual(['scripts/bench/support/agGridPage.ts']);
  });

  test('transactions are synchronous, because an await inside would commit early', () => {
    expect(findUses(server, /transaction\(\s*async/)).toEqual([]);
  });

  test('no other code asks which market source runs', () => {
    expect(findUses(server, asksForSource, Object.keys(sourceNamers))).toEqual([]);
  });

  test('server modules hold no state', () => {
    expect(findUses(server, /^(export )?(let|var) \w+/m)).toEqual([]);
  });

  // Bun drops macros while a plugin is loaded, as in component tests, and caches such modules for later runs.
  test('no file uses macros', async () => {
    const texts = files.map(async ({ path }) => ({ path, text: await Bun.file(join(root, path)).text() }));
    const using = (await Promise.all(texts)).filter(({ text }) => /with \{ type: ['"]macro['"]/.test(text));
    expect(using.map(({ path }) => path)).toEqual([]);
  });

  test('no file is a barrel', () =>
    expect(findUses([...below('src'), ...below('web')], /export \* from/)).toEqual([]));

  test('tests mock no modules and use no .only', () => {
    const tests = below('test').filter(({ path }) => path !== 'test/architecture.test.ts');
    expect(findUses(tests, /\bmock\.module\(|\b(test|describe|it)\.only\(/)).toEqual([]);
  });

  test('every exception is still needed', () => {
    const paths = new Set(files.map(({ path }) => path));
    expect(Object.keys(clockReaders).filter((path) => !paths.has(path))).toEqual([]);
    const naming = findUses(server, asksForSource).map((use) => use.split(':')[0]);
    expect([...new Set(naming)].sort()).toEqual(Object.keys(sourceNamers).sort());
  });
});

describe('styles', async () => {
  const sheets = [...new Bun.Glob('{src,web}/**/*.css').scanSync(root)];
  const readAll = async (paths: readonly string[]) =>
    (await Promise.all(paths.map((path) => Bun.file(join(root, path)).text()))).join('\n');
  const css = (await readAll(sheets)).replace(/\/\*[^]*?\*\//g, '');
  const pages = files.map(({ path }) => path).filter((path) => /^(src\/.*\/)?web\//.test(path));
  const code = await readAll(pages);
  const tests = await readAll(below('test').map(({ path }) => path));
  const styled = new Set([...css.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name));

  test('every sheet is imported', () =>
    expect(sheets.filter((path) => !code.includes(`/${path.split('/').at(-1)}';`))).toEqual([]));

  test('every styled class occurs in code, at least its prefix', () => {
    const words = new Set(code.match(/[\w-]+/g));
    const begun = code.match(/\b[a-z]+-(?=\$\{)/g) ?? [];
    const isGiven = (name: string) => words.has(name) || begun.some((start) => name.startsWith(start));
    expect([...styled].filter((name) => !isGiven(name))).toEqual([]);
  });

  test('every class in code is styled or queried', () => {
    const given = [...code.matchAll(/className="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' '));
    const looked = new Set(`${code}${tests}`.match(/(?<=\.)[a-z][\w-]*/g));
    expect([...new Set(given)].filter((name) => !styled.has(name) && !looked.has(name))).toEqual([]);
  });
});

describe('the checks detect', () => {
  const file = (path: string, text: string) => parseSource(path, text);
  const broken = (name: string, path: string, text: string): string[] => {
    const rule = rules[name];
    if (!rule) throw new Error(`There is no rule called ${name}.`);
    return brokenRules([file(path, text)], rule);
  };

  test('forbidden imports, but not types', () => {
    const use = "import { x } from '../../../market/market.ts'; x();";
    const rooms = 'each room of the server imports only rooms below it';
    expect(broken(rooms, 'src/subjects/calls/rules/a.ts', use)).toEqual([
      'src/subjects/calls/rules/a.ts imports src/market/market.ts: rules may import lib, texts',
    ]);
    expect(broken(rooms, 'src/subjects/calls/rules/a.ts', use.replace('{', 'type {'))).toEqual([]);
    expect(broken(rooms, 'src/subjects/calls/server/a.ts', use)).toEqual([]);
    expect(broken(rooms, 'src/lib/a.ts', "import { x } from '../texts/format.ts'; x();")).toHaveLength(1);
    expect(broken(rooms, 'src/market/a.ts', "import { x } from '../config.ts'; x();")).toHaveLength(1);
    const offers = 'pages of a subject import only offered parts of another';
    const lazy = "export const page = () => import('../../calls/web/CallsPage.tsx');";
    expect(broken(offers, 'src/subjects/alerts/web/a.tsx', lazy)).toHaveLength(1);
    expect(broken(offers, 'src/subjects/alerts/web/a.tsx', lazy.replace('web/', 'web/shared/'))).toEqual([]);
    expect(broken(offers, 'src/subjects/calls/web/a.tsx', lazy)).toEqual([]);
  });

  test('circles', () => {
    const a = file('src/a.ts', "import { b } from './b.ts'; export const a = () => b();");
    const b = file('src/b.ts', "import { c } from './c.ts'; export const b = () => c();");
    const c = file('src/c.ts', "import { a } from './a.ts'; export const c = () => a();");
    const free = file('src/c.ts', "import type { a } from './a.ts'; export const c: typeof a = () => 1;");
    expect(findCycles([a, b, c])).toEqual(['src/a.ts → src/b.ts → src/c.ts → src/a.ts']);
    expect(findCycles([a, b, free])).toEqual([]);
  });
});
