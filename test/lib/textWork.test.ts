import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { FROM_OUTSIDE } from '#scripts/bench/support/textsFromOutside.ts';
import { isPageCode } from '#scripts/pageCode.ts';
import { types } from '@babel/core';
import { parseSource } from '../support/parseSource.ts';

/** Lists with entries that the server created or checked, each with its bound, and texts of the program itself. */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/subjects/conditions/rules/phrases/lexicon.ts words': 'lists in the program',
  'src/subjects/marketOverview/rules/totals.ts OverviewTotals':
    'the sectors of a market, some dozens, by their sums',
  'src/subjects/marketOverview/rules/mapLayout.ts wordWidths': 'the name of a sector',
  'src/subjects/marketOverview/rules/mapLayout.ts membersOf':
    'twelve codes of each of some dozens of sectors',
  'src/subjects/marketOverview/rules/dayNews.ts newsDates': 'the few dates of a market’s records',
  'src/subjects/marketOverview/rules/dayNews.ts filteredNews':
    'in a browser: a day’s announcements, 50 a stock, by ISO times',
  'src/subjects/marketOverview/rules/dayNews.ts newsTypes':
    'in a browser: the types of a day’s announcements by their number',
  'src/subjects/brief/rules/brief.ts newsOf': 'two days’ announcements of a stock, 50 a day, by ISO times',
  'src/subjects/brief/rules/brief.ts marketNews': 'the listed stocks, by numbers and codes',
  'src/subjects/brief/rules/brief.ts listNews': 'the stocks of a user’s lists, by numbers',
  'src/subjects/marketOverview/server/service.ts dayTotals': 'the listed stocks, by numbers',
  'src/subjects/calendar/server/companyEvents.ts createCompanyEvents':
    'at most 150 found announcements and those of two days that state a date, by time',
  'src/subjects/alerts/rules/scanAlerts/watchedNews.ts phrasesOf':
    'in a browser: a field of at most 420 characters',
  'src/subjects/odds/rules/statistics.ts sampleOf': 'in a worker: the results of a run, by numbers',
  'src/subjects/odds/rules/entryRows.ts sortedRows': 'in a worker: at most 500,000 entries',
  'src/subjects/odds/rules/luck.ts drawsOf': 'in a worker: 20,000 numbers',
  'src/dataFolder.ts traceOfData': 'the backups in the folder',
  'src/subjects/conditions/rules/scanFields.ts scannerOfField': 'only the first space of a key',
  'src/platform/db/figures.ts rowsAtMost': 'the tables of the database',
  'src/platform/db/migrations.ts readMigrations': 'the migrations in the repository',
  'src/subjects/accounts/rules/lookalikes.ts isReserved': 'a username whose length was checked first',
  'src/subjects/accounts/rules/accountRules.ts FOREIGN_LETTERS': 'the scripts in the program',
  'src/subjects/announcements/rules/stockNews.ts announcementToSummarise': 'the stored days of a stock',
  'src/subjects/announcements/rules/stockNews.ts byDate': 'the stored announcements of a stock',
  'src/admin/backups/rules/keptBackups.ts surplusBackups': 'the backups in the folder',
  'src/market/calendar/rules/days.ts eventsOn': 'the events of a few days, by time',
  'src/subjects/alerts/rules/alertDraft.ts payloadKey': 'nine currencies',
  'src/subjects/calendar/rules/marketMoves.ts largestOf': 'the listings of the market, by number and code',
  'src/subjects/calendar/server/memory/moveStore.ts MoveStore': 'fifty codes written by the server',
  'src/subjects/calendar/rules/nextEvent.ts highImpactSoon': 'the events of a few days, by time',
  'src/subjects/calls/rules/callFormat.ts formatAlike': 'prices formatted by this code',
  'src/subjects/calls/rules/leaderboardRank.ts sortByBound': 'ranked submitters, by numbers',
  'src/subjects/calls/server/ledger/pages.ts marketTimesOf':
    'a ledger entry written by the server, at most 600 bytes',
  'src/subjects/calls/rules/leaderboardRank.ts rankSubmitters':
    'submitters, by figures and names of at most 50 characters',
  'src/subjects/calls/rules/trackRecord.ts resultStats': 'months with a result',
  'src/admin/channels/rules/dailySummary.ts topMovers': 'codes of the market',
  'src/texts/format.ts formatShortDate': 'a date formatted by the server',
  'src/texts/format.ts sizeText': 'a number as text',
  'src/market/indicators/rules/metainfo.ts plain': 'the names in the program',
  'src/market/indicators/rules/metainfo.ts spec': 'the values in the program',
  'src/market/indicators/rules/picker.ts familyItems': 'the families of the catalog, in the browser',
  'src/market/indicators/rules/metainfo.ts orderValues': 'the values of a family in a source’s list',
  'src/market/rules/announcements.ts itemsOf': 'the announcements of a stock on a day',
  'src/market/rules/announcements.ts previousNews': 'the stored days of a stock',
  'src/market/rules/tradingDay.ts holidaysByRule': 'the holidays of a year',
  'src/subjects/questions/rules/data.ts moversData': 'the stocks of a scanner',
  'src/market/scanners/rules/historyTables.ts inRankOrder': 'the rows of a table, by one number and the code',
  'src/subjects/alerts/server/store.ts newestIds': 'twice the triggers of a page, by time',
  'src/apiDocs/document.ts introduction': 'the words of the API document',
  'src/subjects/stock/server/bars.ts Bars': 'codes of at most MAX_DAY_LINES * 12 characters',
  'src/subjects/calls/server/leaderboard.ts Leaderboard': 'names of sources',
  'src/subjects/calls/server/marketLevels.ts MarketTimes': 'runs of sources, by time',
  'src/subjects/calls/server/marketLevels.ts readCourses': 'runs of sources, by time',
  'src/subjects/calls/server/parts.ts Records': 'the sources of one submitter',
  'src/admin/endpoints/server/index.ts EndpointCalls': 'the stored days and endpoints',
  'src/admin/logs/server/read.ts linesOf': 'a chunk of a log, of limited size',
  'src/subjects/questions/server/run.ts announcements': 'a search by the server',
  'src/admin/recordings/server/service.ts RecordingFolder': 'at most MAX_LISTED recordings',
  'src/subjects/announcements/server/summaries/write.ts createDocumentReader':
    'the first 20,000 characters of a PDF',
  'src/subjects/announcements/server/summaries/write.ts headlines':
    'the announcements of a stock on two days',
  'src/platform/http/connections.ts createConnections': 'the first entry of a header of at most 16 KB',
  'src/platform/http/localFiles.ts namesOf': 'an address of at most 16 KB, read once',
  'src/admin/support/server/contents.ts checkLine': 'a sentence of the check',
  'src/admin/support/server/contents.ts metrics': 'the figures of a server, at most 4 MB',
  'src/admin/support/server/contents.ts lastLogLines': 'the last bytes of two log files',
  'src/admin/support/server/contents.ts plain': '500 characters of a log line',
  'src/admin/support/server/contents.ts keptFacts':
    '20,000 characters of a log line, by a pattern of limited repeats',
  'src/admin/support/server/contents.ts harmlessLine':
    '20,000 characters of a log line, by a pattern of limited repeats',
  'src/platform/install/service/installService.ts printLink': 'the journal of one start',
  'src/subjects/transfer/server/index.ts choiceOf': 'a member of a query of at most 200 characters',
  'src/platform/http/requestBody.ts isJson': 'the first part of a header of at most 16 KB',
  'src/platform/install/shared/swap.ts git': 'output of git',
  'src/platform/install/supervisor/childRun.ts createOutputTail':
    'a chunk of a pipe and at most 500 characters before it',
  'src/platform/install/server/updater.ts readReport': 'the shortened output of the candidate',
  'src/platform/install/server/checkoutSource.ts commitsBetween': 'output of git',
  'src/platform/install/server/checkoutSource.ts forwardTo': 'output of git',
  'src/platform/install/server/checkoutSource.ts refuseDirty': 'output of git',
  'src/platform/install/shared/room.ts machineRoom': 'the kernel’s memory report',
  'src/lib/addresses.ts createAddressRanges': 'a parsed address',
  'src/lib/logging.ts logOfProcess': 'a logger name in the program',
  'src/relays/redis/connection.ts refusal': 'the first characters of Redis’s answer',
  'src/relays/redis/redis.ts Reports': 'the ids of relays',
  'src/relays/relay/primaryClient.ts passedOn': 'a header of at most 16 KB',
  'src/relays/relay/server.ts isKeepable': 'a header of the primary of at most 16 KB',
  'src/platform/discord/client.ts pathOf': 'an address built by the program',
  'src/market/recording/live.ts Recorder': 'the stocks that changed',
  'src/sources/quotes/simulator/auctions.ts collect': 'an order book, not a text',
  'src/sources/quotes/simulator/listings.ts createListings': 'the listings in the program',
  'src/sources/quotes/simulator/listings.ts readReal': 'the listings in the program',
  'src/market/stream/snapshots.ts topOf': 'the stocks of a scanner, by rank',
};

/** A place in the sources that processes a text or list at a cost that grows with it. */
type TextWork = {
  /** `path name` of the top-level declaration that contains it. */
  where: string;
  line: number;
  method: string;
};

/** Methods that normalise, split or search a text, and those that sort lists. */
const METHODS = new Set([
  'normalize',
  'localeCompare',
  'segment',
  'split',
  'match',
  'matchAll',
  'search',
  'sort',
  'toSorted',
]);
/** Possible names of a constructor of a slow comparison. */
const CONSTRUCTORS = new Set(['Collator', 'Segmenter']);

type Node = types.Node;

/** Whether an order compares only numbers: differences of members, one after the other. */
function isNumeric(node: Node | null | undefined): boolean {
  if (!node) return false;
  if (node.type === 'ArrowFunctionExpression') return isNumeric(node.body);
  if (node.type === 'BinaryExpression') return node.operator === '-';
  if (node.type === 'LogicalExpression') return isNumeric(node.left) && isNumeric(node.right);
  return false;
}

/** A literal text, or something read from one. */
function isWritten(node: Node): boolean {
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') return true;
  return (
    node.type === 'CallExpression' && node.callee.type === 'MemberExpression' && isWritten(node.callee.object)
  );
}

function nameOf(statement: Node): string {
  const declared =
    statement.type === 'ExportNamedDeclaration' && statement.declaration ? statement.declaration : statement;
  if (declared.type === 'VariableDeclaration') {
    const [first] = declared.declarations;
    return first?.id.type === 'Identifier' ? first.id.name : '';
  }
  const { id } = declared as { id?: { name?: unknown } | null };
  return typeof id?.name === 'string' ? id.name : '';
}

function methodOf(node: Node): { method: string; object: Node; sent: readonly Node[] } | null {
  if (node.type === 'NewExpression') {
    const { callee, arguments: sent } = node;
    const method =
      callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : '';
    return CONSTRUCTORS.has(method) ? { method, object: callee, sent } : null;
  }
  if (node.type !== 'CallExpression' && node.type !== 'OptionalCallExpression') return null;
  const { callee, arguments: sent } = node;
  if (callee.type !== 'MemberExpression' && callee.type !== 'OptionalMemberExpression') return null;
  if (callee.property.type !== 'Identifier' || !METHODS.has(callee.property.name)) return null;
  return { method: callee.property.name, object: callee.object, sent };
}

/** Every such place in a file, except sorted numbers and literal texts. */
function findTextWork(path: string, text: string): TextWork[] {
  const found: TextWork[] = [];
  if (!/normalize|localeCompare|segment|split|match|search|ort\(|Collator|Segmenter/.test(text)) return found;
  const ast = parseSource(path, text);
  for (const statement of ast.program.body) {
    types.traverseFast(statement, (node) => {
      const call = methodOf(node);
      if (!call || isWritten(call.object)) return;
      const isSort = call.method === 'sort' || call.method === 'toSorted';
      if (isSort && isNumeric(call.sent[0])) return;
      found.push({
        where: `${path} ${nameOf(statement)}`.trim(),
        line: node.loc?.start.line ?? 0,
        method: call.method,
      });
    });
  }
  return found;
}

const root = join(import.meta.dir, '..', '..');

const server: TextWork[] = [];
const pages: TextWork[] = [];
for await (const path of new Bun.Glob('{src,web}/**/*.{ts,tsx}').scan({ cwd: root })) {
  const found = findTextWork(path, await Bun.file(join(root, path)).text());
  (isPageCode(path) ? pages : server).push(...found);
}
const described = (place: TextWork): string => `${place.where}: ${place.method} in line ${place.line}`;

describe('every place that splits a text or sorts something', () => {
  test('is found', () => expect(server.length).toBeGreaterThan(60));

  test('is measured by the bench or has a stated bound', () => {
    const known = new Set([...Object.keys(FROM_OUTSIDE), ...Object.keys(BOUNDED)]);
    // Add a place that handles external input to FROM_OUTSIDE, where `bun run bench texts` measures it with hostile texts. Add any other to BOUNDED
    // with its bound.
    expect(server.filter(({ where }) => !known.has(where)).map(described)).toEqual([]);
  });

  test('exists if it is listed as bounded', () => {
    const there = new Set(server.map(({ where }) => where));
    expect(Object.keys(BOUNDED).filter((where) => !there.has(where))).toEqual([]);
  });

  test('uses the one place each for normal forms, name order and user-perceived characters', () => {
    const slow = new Set(['normalize', 'localeCompare', 'Collator', 'segment', 'Segmenter']);
    const places = [...server, ...pages].filter(({ method }) => slow.has(method)).map(({ where }) => where);
    expect([...new Set(places)].sort()).toEqual([
      'src/lib/unicode.ts compareNames',
      'src/lib/unicode.ts normalised',
      'src/platform/chatClients/messageText.ts fitted',
    ]);
  });
});

describe('the checks detect', () => {
  test.each([
    ["export const a = (b) => b.split('x');", 'a'],
    ["export function a(b) { return b?.normalize('NFC'); }", 'a'],
    ['const a = { b: (c) => [...c].sort() };', 'a'],
    ['const a = (b) => b.sort((c, d) => (c.e < d.e ? -1 : 1));', 'a'],
    ['class a { b(c) { return new Intl.Collator().compare(c, c); } }', 'a'],
    ['export const a = <p>{b.match(/c/)}</p>;', 'a'],
  ])('a place: %s', (code, name) =>
    expect(findTextWork('web/x.tsx', code).map(({ where }) => where)).toEqual([`web/x.tsx ${name}`]),
  );

  test.each([
    "export const a = 'b c'.split(' ');",
    'export const a = (b) => b.sort((c, d) => c.e - d.e || c.f - d.f);',
    '// a.normalize()',
  ])('no place: %s', (code) => expect(findTextWork('web/x.tsx', code)).toEqual([]));
});
