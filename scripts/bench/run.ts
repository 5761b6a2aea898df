import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import type { Row } from './row.ts';

const FILE = join(import.meta.dir, 'results.md');

const HEAD = `# Benchmark results

Latest results of \`bun run bench\`. Targets assume 2 idle cores. \`bun run bench --help\` lists the parts.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|');

function section(part: keyof typeof MEASURES, rows: readonly Row[], machine: string, date: string): string {
  const lines = rows.map(({ what, measured, target, ok }) => {
    const result = ok === null ? '' : ok ? 'yes' : '**no**';
    return `| ${cell(what)} | ${cell(measured)} | ${cell(target)} | ${result} |`;
  });
  return [
    `## ${part}: ${MEASURES[part]}`,
    '',
    `\`bun run bench ${part}\` on ${date}, ${machine}.`,
    '',
    '| Measurement | Result | Target | Met |',
    '|---|---|---|---|',
    ...lines,
    '',
  ].join('\n');
}

async function keepResults(result: {
  part: keyof typeof MEASURES;
  rows: readonly Row[];
  machine: string;
}): Promise<void> {
  const file = Bun.file(FILE);
  const known = (await file.exists()) ? await file.text() : HEAD;
  const [, ...sections] = known.split(/^## /m);
  const others = new Map<string, string>(
    sections.map((text) => [text.split(':')[0] ?? '', `## ${text.trimEnd()}\n`]),
  );
  const date = new Date().toISOString().slice(0, 10);
  others.set(result.part, section(result.part, result.rows, result.machine, date));
  await Bun.write(FILE, [HEAD, ...others.values()].join('\n'));
}

const MEASURES = {
  tick: 'apply, encode and compress a tick of 600 of 2,000 stocks',
  simulated: 'bytes that the simulated market sends to a page per second',
  fanout: 'time for a tick to reach 5,000 streams, and the cost of each stream',
  alerts: 'a tick with 100,000 alerts, compared with json-rules-engine, and their memory',
  calls: 'tracking 2,000 open calls, and the leaderboard of 10,000 and 200,000 calls',
  chart: 'bars for a chart, and the time from a click on a row to the first paint',
  browser: 'cost of a tick on a page with 700 rows, compared with AG Grid, and scrolling',
  overview: 'cost of a tick for the market overview',
  load: 'bytes and time until a new page shows its first live row',
  screens: 'requests, bytes, time and layout shift until each screen is shown',
  lighthouse: 'Lighthouse scores of two pages on a phone',
  cold: 'time from the start of the executable until /healthz answers 200',
  memory: 'resident memory of a running server',
  hostile: 'how long one hostile client blocks the event loop, and the memory it takes',
  texts: 'run time of every function that parses external text, by text length',
  indicators: 'a tick with 20 indicator columns, and the memory of the bars',
  demand: 'how long the event loop is blocked while a user changes 100 columns',
  recording: 'recording and replaying a day of the market',
  odds: 'asking 90 sessions of 2,000 stocks about a scan, compared with grademark',
  writes: 'disk writes of a quiet server per hour',
  backup: 'delay of ticks during a backup',
} as const;

/** Each part is loaded when it runs, so that one that fails to load does not stop the others. */
const RUNS: Record<keyof typeof MEASURES, (amount: number | undefined) => Promise<Row[]>> = {
  tick: async () => (await import('./tick.ts')).run(),
  simulated: async () => (await import('./simulated.ts')).run(),
  fanout: async (clients) => (await import('./fanout.ts')).run(clients),
  alerts: async () => (await import('./alerts.ts')).run(),
  calls: async () => (await import('./calls.ts')).run(),
  chart: async () => (await import('./chart.ts')).run(),
  browser: async () => (await import('./browser.ts')).run(),
  overview: async () => (await import('./overview.ts')).run(),
  load: async () => (await import('./firstLoad.ts')).run(),
  screens: async (loads) => (await import('./screens.ts')).run(loads),
  lighthouse: async (runs) => (await import('./lighthouse.ts')).run(runs),
  cold: async () => (await import('./coldStart.ts')).run(),
  memory: async (minutes) => (await import('./memory.ts')).run(minutes),
  hostile: async () => (await import('./hostile.ts')).run(),
  texts: async () => (await import('./texts.ts')).run(),
  indicators: async () => (await import('./indicators.ts')).run(),
  demand: async () => (await import('./demand.ts')).run(),
  recording: async () => (await import('./recording.ts')).run(),
  odds: async (sessions) => (await import('./odds.ts')).run(sessions),
  writes: async (minutes) => (await import('./writes.ts')).run(minutes),
  backup: async (megabytes) => (await import('./backup.ts')).run(megabytes),
};

const isPart = (name: string): name is keyof typeof MEASURES => Object.hasOwn(MEASURES, name);

const usage = `bun run bench [part[=amount] ...]

${Object.entries(MEASURES)
  .map(([name, measures]) => `  ${name.padEnd(11)} ${measures}`)
  .join('\n')}

Without a part, all parts run, for about an hour.
Amounts: fanout=CLIENTS (5000), lighthouse=RUNS (3), memory=MINUTES (10), odds=SESSIONS (90), writes=MINUTES (12), backup=MEGABYTES (100 and 500).
Results go to scripts/bench/results.md; with an amount they are only printed.`;

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
  const wanted = args.length > 0 ? args : Object.keys(MEASURES);
  const unknown = wanted.filter((arg) => !isPart(arg.split('=')[0] ?? ''));
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(', ')}.\n\n${usage}`);
    return 2;
  }
  console.log(`Bellbird on ${machine()}\n`);
  let failed = 0;
  for (const arg of wanted) {
    const [name = '', amount] = arg.split('=');
    if (!isPart(name)) continue;
    console.log(`${name}: ${MEASURES[name]}`);
    try {
      const rows = await RUNS[name](amount === undefined ? undefined : Number(amount));
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
