import { rm } from 'node:fs/promises';
import { startBellbird, temporaryFolder } from '#support/executable.ts';
import { seedSession, type Session } from '#support/stage.ts';
import { type PageReport, reportOn } from './support/lighthousePage.ts';
import { percentile, type Row } from './row.ts';
import { waitForMarket } from './support/waitForMarket.ts';

const RUNS = 3;
const MIN_SCORE = 95;
const MAX_BLOCKING_MS = 150;

type Target = { name: string; path: string; signedIn: boolean };

const TARGETS: readonly Target[] = [
  { name: 'Calls', path: '/#/calls', signedIn: false },
  { name: 'a scanner, signed in', path: '/#/intra-day-small', signedIn: true },
];

export async function run(runs: number = RUNS): Promise<Row[]> {
  const dataDir = await temporaryFolder();
  // Test mode, so that the Calls page has calls.
  const env = { BELLBIRD_SIM_START: '11:00', BELLBIRD_TEST: '1' };
  const bellbird = await startBellbird({ dataDir, env });
  try {
    await waitForMarket(bellbird.url);
    const session = await seedSession(bellbird.url, 'bench');
    const reports = new Map<Target, PageReport[]>(TARGETS.map((target) => [target, []]));
    for (let count = 0; count < runs; count += 1) {
      for (const [target, list] of reports) list.push(await measure(bellbird.url, target, session));
    }
    return [...reports].flatMap(([{ name }, list]) => rowsOf(name, list));
  } finally {
    await bellbird.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const measure = (url: string, { path, signedIn }: Target, session: Session): Promise<PageReport> =>
  reportOn({ origin: url, path, session: signedIn ? session : null });

function rowsOf(name: string, reports: readonly PageReport[]): Row[] {
  const median = (read: (report: PageReport) => number): number => percentile(reports.map(read), 0.5);
  const score = median(({ scores }) => scores.performance);
  const blocking = median(({ blockingMs }) => blockingMs);
  const seconds = (read: (report: PageReport) => number): string => `${(median(read) / 1000).toFixed(2)} s`;
  const others = (['accessibility', 'bestPractices', 'seo'] as const).map((category) =>
    Math.min(...reports.map(({ scores }) => scores[category])),
  );
  return [
    {
      what: `Lighthouse performance, mobile, ${name} (median of ${reports.length})`,
      measured: `${score}; first paint ${seconds((report) => report.firstPaintMs)}, largest ${seconds((report) => report.largestPaintMs)}, layout shift ${median(({ layoutShift }) => layoutShift).toFixed(3)}`,
      target: `≥ ${MIN_SCORE}`,
      ok: score >= MIN_SCORE,
    },
    {
      what: `Total blocking time, mobile, ${name}`,
      measured: `${blocking.toFixed(0)} ms; by the main thread's processor time ${median(({ blockingCpuMs }) => blockingCpuMs).toFixed(0)} ms`,
      target: `≤ ${MAX_BLOCKING_MS} ms`,
      ok: blocking <= MAX_BLOCKING_MS,
    },
    {
      what: `Lighthouse accessibility, best practices and SEO, ${name} (the lowest of ${reports.length})`,
      measured: others.join(', '),
      target: '100 each',
      ok: others.every((value) => value === 100),
    },
  ];
}
