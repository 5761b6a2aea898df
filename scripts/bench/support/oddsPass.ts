import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { openSessions } from '#market/sessions/files.ts';
import { NO_SCANS } from '#subjects/conditions/rules/savedScan.ts';
import type { Condition, Operator } from '#subjects/conditions/rules/condition.ts';
import type { OddsScan } from '#subjects/odds/rules/asked.ts';
import { DEFAULT_ODDS_SETTINGS } from '#subjects/odds/rules/settings.ts';
import { OddsRun } from '#subjects/odds/server/engine/run.ts';

const condition = (key: string, op: Operator, to: number | string): Condition => ({
  lhs: { type: 'field', key },
  op,
  rhs: typeof to === 'number' ? { type: 'number', value: to } : { type: 'field', key: to },
});

const SCANS: Readonly<Record<string, OddsScan>> = {
  conditions: {
    type: 'logic',
    logic: {
      op: 'AND',
      conditions: [
        condition('last', '<', 1),
        condition('change_percent', '>=', 5),
        condition('relativeVolume', '>', 1.5),
        condition('value', '>=', 50_000),
        condition('last', '>', 'vwap'),
      ],
    },
  },
  scanner: { type: 'scanner', key: 'intraDaySmall', filters: { minValue: 5000 } },
};

/** What one run over a session history takes; times in ms, memory in bytes. */
export type OddsPass = {
  wallMs: number;
  processorMs: number;
  firstMs: number;
  grown: number;
  rows: number;
  entries: number;
};

function pass(folder: string, source: string, scan: OddsScan): OddsPass {
  const sessions = openSessions(folder, source);
  const dates = sessions.dates();
  const before = process.memoryUsage.rss();
  const since = process.cpuUsage();
  const start = performance.now();
  const run = new OddsRun({
    scan,
    settings: DEFAULT_ODDS_SETTINGS,
    scanOf: NO_SCANS,
    catalog: builtInCatalog(),
    dates,
    adjustments: () => [],
    ignoreStatus: false,
  });
  let [rows, firstMs, most] = [0, 0, before];
  for (const date of dates) {
    const session = sessions.read(date);
    if (!session) continue;
    run.begin(session);
    for (const stock of session.stocks()) {
      rows += stock.rows;
      run.stock(stock);
    }
    run.end();
    // As the worker does.
    Bun.gc(true);
    most = Math.max(most, process.memoryUsage.rss());
    if (firstMs > 0) continue;
    run.result();
    firstMs = performance.now() - start;
  }
  const { entries } = run.result().all;
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(since);
  return { wallMs, processorMs: (user + system) / 1000, firstMs, grown: most - before, rows, entries };
}

// A process of its own, because its memory is measured.
const [folder = '', source = '', name = ''] = process.argv.slice(2);
const scan = SCANS[name];
if (!scan) throw new Error(`There is no scan called ${name}.`);
console.log(JSON.stringify(pass(folder, source, scan)));
