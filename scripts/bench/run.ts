import { availableParallelism, cpus } from 'node:os';
import { keepResults } from './results.ts';
import type { Row } from './row.ts';

/** Every part by its name, in the order it is run; `load` keeps a part that fails to load from costing the others. */
const parts: Record<string, (amount: number | undefined) => Promise<Row[]>> = {
  tick: async () => (await import('./tick.ts')).run(),
  simulated: async () => (await import('./simulated.ts')).run(),
  indicators: async () => (await import('./indicators.ts')).run(),
  demand: async () => (await import('./demand.ts')).run(),
  fanout: async (clients) => (await import('./fanout.ts')).run(clients),
  relays: async () => (await import('./relays.ts')).run(),
  engineKills: async (kills) => (await import('./relayKills.ts')).runEngine(kills),
  primaryKills: async (kills) => (await import('./relayKills.ts')).runPrimary(kills),
  stalled: async (minutes) =>
    (await import('./stalled.ts')).run(minutes, minutes === undefined ? undefined : 100),
  texts: async () => (await import('./texts.ts')).run(),
  hostile: async () => (await import('./hostile.ts')).run(),
  calendar: async () => (await import('./calendar.ts')).run(),
  chart: async () => (await import('./chart.ts')).run(),
  calls: async () => (await import('./calls.ts')).run(),
  ledger: async () => (await import('./ledger.ts')).run(),
  alerts: async () => (await import('./alerts.ts')).run(),
  scans: async () => (await import('./scanAlerts.ts')).run(),
  scanAlerts: async () => (await import('./wholeScans.ts')).run(),
  push: async (minutes) => (await import('./push.ts')).run(minutes),
  gap: async () => (await import('./gap.ts')).run(),
  summary: async () => (await import('./summary.ts')).run(),
  announcements: async () => (await import('./announcements.ts')).run(),
  browser: async () => (await import('./browser.ts')).run(),
  recording: async () => (await import('./recording.ts')).run(),
  conditions: async () => (await import('./conditions.ts')).run(),
  glance: async () => (await import('./glance.ts')).run(),
  linked: async () => (await import('./linkedCharts.ts')).run(),
  cold: async () => (await import('./coldStart.ts')).run(),
  load: async () => (await import('./firstLoad.ts')).run(),
  lighthouse: async (runs) => (await import('./lighthouse.ts')).run(runs),
  memory: async (minutes) => (await import('./memory.ts')).run(minutes),
  backup: async (megabytes) => (await import('./backup.ts')).run(megabytes),
  writes: async (minutes) => (await import('./writes.ts')).run(minutes),
};

const usage = `bun run bench [part[=amount] ...]

Parts: ${Object.keys(parts).join(', ')}; all of them when none is named.
Amounts: fanout=CLIENTS (5000), engineKills=KILLS and primaryKills=KILLS (20), stalled=MINUTES (5; a given number sends ten ticks a second), lighthouse=RUNS (3), push=MINUTES (until all is sent), memory=MINUTES (10), writes=MINUTES (12), backup=MEGABYTES (100 and 500).
Full runs of a part are kept in docs/benchmarks.md; parts with an amount are only printed.`;

function machine(): string {
  return `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Bun ${Bun.version}, ${process.platform} ${process.arch}`;
}

function print(name: string, rows: readonly Row[]): void {
  for (const { what, measured, target, ok } of rows) {
    const result = ok === null ? '    ' : ok ? 'ok  ' : 'MISS';
    console.log(
      `${result} ${name}: ${what}\n       ${measured}${target === '' ? '' : `   (target ${target})`}`,
    );
  }
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const wanted = args.length > 0 ? args : Object.keys(parts);
  const unknown = wanted.filter((arg) => !parts[arg.split('=')[0] ?? '']);
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}.\n\n${usage}`);
    return 2;
  }
  console.log(`Bellbird on ${machine()}\n`);
  let failed = 0;
  for (const arg of wanted) {
    const [name = '', amount] = arg.split('=');
    try {
      const rows = (await parts[name]?.(amount === undefined ? undefined : Number(amount))) ?? [];
      print(name, rows);
      if (amount === undefined) await keepResults({ part: name, rows, machine: machine() });
    } catch (error) {
      failed += 1;
      console.error(`FAIL ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return failed === 0 ? 0 : 1;
}

process.exit(await main(process.argv.slice(2)));
