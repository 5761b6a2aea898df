import { resolve } from 'node:path';
import type { BuildMetafile } from 'bun';
import { reachedFrom } from './imports.ts';

/** Pages that people open first. */
const FIRST_PAGES = [
  'scanners/web/ScannerPage.tsx',
  'calls/web/CallsScreen.tsx',
  'accounts/web/LoginPage.tsx',
];

/** Loaded on every page after a login. */
const EVERYWHERE = ['toasts/AlertWatch.tsx', 'shared/WaitingCount.tsx'];

const SCANNER = [
  'scanners/web/ScannerPage.tsx',
  'parts/OpeningNote.tsx',
  'marketOverview/web/shared/late.ts',
  'shared/alertRequests.ts',
  'shared/RowPanel.tsx',
];

/** Modules that an `import()` names and that a page loads by itself, without a click. */
const PAGES = [
  SCANNER,
  [...SCANNER, 'custom/CustomScanner.tsx'],
  ['calendar/web/CalendarPage.tsx', 'parts/TimeZoneSelect.tsx'],
  ['calls/web/CallsScreen.tsx'],
  ['watchlist/WatchlistPage.tsx', 'watchlist/ScanAlerts.tsx', 'shared/DayCell.tsx'],
  ['watchlist/WatchlistPage.tsx', 'allAlerts/AllAlerts.tsx'],
  ['watchlist/WatchlistPage.tsx', 'watchlist/Triggers.tsx'],
  ['marketOverview/web/MarketPage.tsx'],
  ['marketOverview/web/AnnouncementsPage.tsx'],
  ['stock/web/ChartPage.tsx', 'drawing/createDrawing.ts'],
  ['settings/web/SettingsPage.tsx'],
  ['settings/web/SettingsPage.tsx', 'columns/ColumnsPanel.tsx'],
  ['settings/web/SettingsPage.tsx', 'shared/LinkedChatsPanel.tsx'],
  ['settings/web/SettingsPage.tsx', 'web/NotificationSection.tsx'],
  ['admin/web/AdminPage.tsx'],
];

/** How much code a request is worth, in bytes before compression. */
const REQUEST = 20 * 1024;

/** How much more a page counts than code that a click loads. */
const PAGE_WEIGHT = 8;

type Load = { chunks: ReadonlySet<string>; weight: number; isFirst: boolean };

/** The chunk of each module that an `import()` names, as an absolute path. */
const lateChunks = ({ outputs }: BuildMetafile): [module: string, chunk: string][] =>
  Object.entries(outputs).flatMap(([path, { entryPoint }]) =>
    entryPoint && path.endsWith('.js') ? [[entryPoint, resolve(path)]] : [],
  );

const chunkIn = (chunks: ReturnType<typeof lateChunks>, module: string): string | undefined =>
  chunks.find(([path]) => path.endsWith(module))?.[1];

/** @throws Error if no `import()` names the module */
export function chunkOf(module: string, metafile: BuildMetafile): string {
  const chunk = chunkIn(lateChunks(metafile), module);
  if (chunk === undefined) throw new Error(`No import() names ${module}; change scripts/build/groups.ts.`);
  return chunk;
}

function loadsOf(metafile: BuildMetafile): Load[] {
  const late = lateChunks(metafile);
  const load = (modules: readonly string[], weight: number, isFirst = false): Load => {
    // Code that has become part of its screen has no chunk of its own.
    const roots = modules.flatMap((module) => chunkIn(late, module) ?? []);
    return { chunks: reachedFrom(roots, metafile.outputs), weight, isFirst };
  };
  return [
    ...FIRST_PAGES.map((page) => load([page], PAGE_WEIGHT, true)),
    ...PAGES.map((page) => load([...page, ...EVERYWHERE], PAGE_WEIGHT)),
    ...late.map(([module]) => load([module], 1)),
  ];
}

type Group = {
  chunks: readonly string[];
  size: number;
  /** For each load, whether it needs the group. */
  uses: readonly boolean[];
  /** Chunks that it imports. */
  imports: readonly string[];
};

const joined = (a: Group, b: Group): Group => ({
  chunks: [...a.chunks, ...b.chunks],
  size: a.size + b.size,
  uses: a.uses.map((isUsed, at) => isUsed || b.uses[at] === true),
  imports: [...a.imports, ...b.imports],
});

/** What joining two groups saves, in bytes; negative if a first page would get code that it does not need. */
function gainOf(a: Group, b: Group, loads: readonly Load[]): number {
  let gain = 0;
  for (const [at, { weight, isFirst }] of loads.entries()) {
    if (a.uses[at] && b.uses[at]) gain += weight * REQUEST;
    else if (isFirst && a.uses[at] !== b.uses[at]) return -1;
    else if (a.uses[at] || b.uses[at]) gain -= weight * (a.uses[at] ? b.size : a.size);
  }
  return gain;
}

type Owners = ReadonlyMap<string, Group>;

/** Whether a group needs another one through a third, so that joining the two would close a circle. */
function needsBetween(from: Group, to: Group, owners: Owners): boolean {
  const seen = new Set([from]);
  for (const group of seen) {
    for (const chunk of group.imports) {
      const next = owners.get(chunk);
      if (next === to && group !== from) return true;
      if (next && next !== to) seen.add(next);
    }
  }
  return false;
}

type Pair = { a: Group; b: Group; gain: number };

const best = (pairs: ReadonlySet<Pair>): Pair | undefined => {
  let found: Pair | undefined;
  for (const pair of pairs) if (!found || pair.gain > found.gain) found = pair;
  return found;
};

/**
 * Puts late chunks into groups, each of which becomes one file: the bundler makes a chunk for every set of importers,
 * and most are far smaller than the cost of a request. Joins the pair that saves most, as long as one saves anything.
 * @param sizes of the chunks to group, by absolute path
 * @returns lists of chunks
 */
export function groupChunks(sizes: ReadonlyMap<string, number>, metafile: BuildMetafile): string[][] {
  const loads = loadsOf(metafile);
  const importsOf = new Map(
    Object.entries(metafile.outputs).map(([path, { imports }]) => [
      resolve(path),
      imports.filter(({ kind }) => kind !== 'dynamic-import').map((one) => resolve(one.path)),
    ]),
  );
  const modules = new Set(lateChunks(metafile).map(([, chunk]) => chunk));
  const groups = new Set<Group>();
  const owners = new Map<string, Group>();
  const pairs = new Set<Pair>();
  const add = (group: Group): void => {
    for (const other of groups) {
      const gain = gainOf(group, other, loads);
      if (gain > 0) pairs.add({ a: group, b: other, gain });
    }
    groups.add(group);
    for (const chunk of group.chunks) owners.set(chunk, group);
  };
  for (const [chunk, size] of sizes) {
    const uses = loads.map(({ chunks }) => chunks.has(chunk));
    add({ chunks: [chunk], size, uses, imports: importsOf.get(chunk) ?? [] });
  }
  for (let pair = best(pairs); pair; pair = best(pairs)) {
    const { a, b } = pair;
    pairs.delete(pair);
    if (needsBetween(a, b, owners) || needsBetween(b, a, owners)) continue;
    for (const one of [a, b]) groups.delete(one);
    for (const one of pairs) if (!groups.has(one.a) || !groups.has(one.b)) pairs.delete(one);
    add(joined(a, b));
  }
  // The first chunk gives the group its name: a module that an `import()` names, if there is one.
  return [...groups].map(({ chunks }) => [
    ...chunks.filter((chunk) => modules.has(chunk)),
    ...chunks.filter((chunk) => !modules.has(chunk)),
  ]);
}
