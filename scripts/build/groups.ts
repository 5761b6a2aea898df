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
  ['odds/web/OddsPage.tsx'],
  ['brief/web/BriefPage.tsx'],
  ['stock/web/ChartPage.tsx', 'drawing/createDrawing.ts'],
  ['settings/web/SettingsPage.tsx'],
  ['settings/web/SettingsPage.tsx', 'columns/ColumnsPanel.tsx'],
  ['settings/web/SettingsPage.tsx', 'shared/LinkedChatsPanel.tsx'],
  ['settings/web/SettingsPage.tsx', 'web/NotificationSection.tsx'],
  ['admin/web/AdminPage.tsx'],
];

/** Code that a click loads and that loads more by itself. */
const CLICKS = [
  ['stock/web/StockPane.tsx', 'shared/RowPanel.tsx', 'drawing/createDrawing.ts'],
  ['drawing/createDrawing.ts', 'shared/RowPanel.tsx'],
];

/** How much code a request is worth, in bytes before compression. */
const REQUEST = 24 * 1024;

/** How much code that it does not need a first page may get in a group, in bytes. */
const FIRST_EXTRA = 12 * 1024;

/** How much more a page counts than code that a click loads. */
const PAGE_WEIGHT = 16;

/** Whether a module is the first of a page's list, so that its load counts already. */
const isPage = (module: string): boolean =>
  PAGES.some(([page]) => page !== undefined && module.endsWith(page));

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
    ...late
      .filter(([module]) => !isPage(module))
      .map(([module]) => {
        const click = CLICKS.find(([first]) => first !== undefined && module.endsWith(first)) ?? [];
        return load([module, ...click, ...EVERYWHERE], 1);
      }),
  ];
}

type Group = {
  chunks: readonly string[];
  size: number;
  /** For each load, whether it needs the group. */
  uses: readonly boolean[];
  /** For each load that needs the group, how much of it is there only because of a joining, in bytes. */
  waste: readonly number[];
  /** Chunks that it imports. */
  imports: readonly string[];
};

type Owners = ReadonlyMap<string, Group>;

/** The groups that one imports, and those that these import; not itself. */
function neededBy(from: Group, owners: Owners): Set<Group> {
  const seen = new Set([from]);
  for (const group of seen) {
    for (const chunk of group.imports) {
      const next = owners.get(chunk);
      if (next) seen.add(next);
    }
  }
  seen.delete(from);
  return seen;
}

/** What a load that needs only one of two groups also gets when they are joined, in bytes; each file counts as a request. */
function extraOf(other: Group, needed: ReadonlySet<Group>, load: number): number {
  let extra = other.size;
  for (const group of needed) if (!group.uses[load]) extra += group.size + REQUEST;
  return extra;
}

type Node = { group: Group; needed: ReadonlySet<Group> };

/** The waste of a joined group for a load. */
function wasteOf(a: Group, b: Group, load: number): number {
  const waste = (group: Group): number => (group.uses[load] ? (group.waste[load] ?? 0) : group.size);
  return waste(a) + waste(b);
}

/** What joining two groups saves, in bytes; negative if a first page would get much code that it does not need. */
function gainOf(a: Node, b: Node, loads: readonly Load[]): number {
  let gain = 0;
  for (const [at, { weight, isFirst }] of loads.entries()) {
    const [hasA, hasB] = [a.group.uses[at], b.group.uses[at]];
    if (hasA && hasB) gain += weight * REQUEST;
    else if (hasA || hasB) {
      const other = hasA ? b : a;
      const extra = extraOf(other.group, other.needed, at);
      const waste = wasteOf(a.group, b.group, at) + extra - other.group.size;
      if (isFirst && waste > FIRST_EXTRA) return -1;
      gain -= weight * extra;
    }
  }
  return gain;
}

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

/** Joins the two groups that save most; null if no two save anything. */
function joinedOnce(groups: readonly Group[], loads: readonly Load[]): Group[] | null {
  const owners = new Map(groups.flatMap((group) => group.chunks.map((chunk) => [chunk, group])));
  const nodes = groups.map((group): Node => ({ group, needed: neededBy(group, owners) }));
  const pairs = nodes.flatMap((a, at) =>
    nodes.slice(at + 1).map((b) => ({ a, b, gain: gainOf(a, b, loads) })),
  );
  const best = pairs
    .filter(({ gain }) => gain > 0)
    .sort((one, other) => other.gain - one.gain)
    .find(({ a, b }) => !needsBetween(a.group, b.group, owners) && !needsBetween(b.group, a.group, owners));
  if (!best) return null;
  const { a, b } = best;
  const isUsed = a.group.uses.map((uses, at) => uses || b.group.uses[at] === true);
  const needed = new Set([...a.needed, ...b.needed]);
  const also = (group: Group): Group => {
    if (!needed.has(group)) return group;
    const uses = group.uses.map((isOld, at) => isOld || isUsed[at] === true);
    return {
      ...group,
      uses,
      waste: uses.map((_, at) => (group.uses[at] ? (group.waste[at] ?? 0) : group.size)),
    };
  };
  const joined: Group = {
    chunks: [...a.group.chunks, ...b.group.chunks],
    size: a.group.size + b.group.size,
    uses: isUsed,
    waste: isUsed.map((_, at) => wasteOf(a.group, b.group, at)),
    imports: [...a.group.imports, ...b.group.imports],
  };
  return [...groups.filter((group) => group !== a.group && group !== b.group).map(also), joined];
}

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
  let groups = [...sizes].map(
    ([chunk, size]): Group => ({
      chunks: [chunk],
      size,
      uses: loads.map(({ chunks }) => chunks.has(chunk)),
      waste: loads.map(() => 0),
      imports: importsOf.get(chunk) ?? [],
    }),
  );
  for (let next = joinedOnce(groups, loads); next; next = joinedOnce(groups, loads)) groups = next;
  // The first chunk gives the group its name: a module that an `import()` names, if there is one.
  return groups.map(({ chunks }) => [
    ...chunks.filter((chunk) => modules.has(chunk)),
    ...chunks.filter((chunk) => !modules.has(chunk)),
  ]);
}
