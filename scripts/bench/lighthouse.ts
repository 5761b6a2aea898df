import lighthouse from 'lighthouse';
import { rm } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { chromiumCandidates } from '#scripts/chromium.ts';
import { freePort, startBellbird, temporaryFolder } from '#support/executable.ts';
import { seedSession, type Session } from '#support/fixture.ts';
import { percentile, type Row } from './row.ts';
import type { TraceEvent } from './support/mainThread.ts';
import { waitForMarket } from './support/waitForMarket.ts';

export type PageReport = {
  scores: { performance: number; accessibility: number; bestPractices: number; seo: number };
  blockingMs: number;
  /** Based on the main thread's processor time, which other programs do not affect. */
  blockingCpuMs: number;
  firstPaintMs: number;
  largestPaintMs: number;
  layoutShift: number;
};

export type PageInput = {
  origin: string;
  path: string;
  session: Session | null;
};

const SLOWDOWN = 4;
const LONG_TASK_MS = 50;

export async function reportOn({ origin, path, session }: PageInput): Promise<PageReport> {
  const profile = await temporaryFolder();
  const port = await freePort();
  const [executablePath] = chromiumCandidates();
  if (!executablePath) throw new Error('No Chromium is installed. On Debian: apt-get install chromium');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    viewport: null,
    args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(`${origin}/healthz`);
    if (session) await page.evaluate((stored) => Object.assign(localStorage, stored), session);
    const result = await lighthouse(`${origin}${path}`, { port, logLevel: 'error', output: 'json' });
    if (!result) throw new Error('Lighthouse gave no result.');
    const { audits, categories, runtimeError } = result.lhr;
    if (runtimeError) throw new Error(`Lighthouse failed: ${runtimeError.message}`);
    const sappOf = (category: string): number => Math.round((categories[category]?.score ?? 0) * 100);
    const valueOf = (audit: string): number => audits[audit]?.numericValue ?? Number.NaN;
    const trace = result.artifacts.Trace as { traceEvents: readonly TraceEvent[] };
    return {
      scores: {
        performance: sappOf('performance'),
        accessibility: sappOf('accessibility'),
        bestPractices: sappOf('best-practices'),
        seo: sappOf('seo'),
      },
      blockingMs: valueOf('total-blocking-time'),
      blockingCpuMs: blockingCpu(trace.traceEvents, origin),
      firstPaintMs: valueOf('first-contentful-paint'),
      largestPaintMs: valueOf('largest-contentful-paint'),
      layoutShift: valueOf('cumulative-layout-shift'),
    };
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

type NavigationEvent = TraceEvent & { args?: { data?: { documentLoaderURL?: string } } };

/** Blocking time of the main thread's tasks after the first paint, on a slowed machine, ms. */
function blockingCpu(events: readonly TraceEvent[], origin: string): number {
  const start = events
    .filter(({ name }) => name === 'navigationStart')
    .findLast((event: NavigationEvent) => event.args?.data?.documentLoaderURL?.startsWith(origin));
  if (!start) throw new Error('The trace has no navigation to the page.');
  const painted = events.find(({ name, ts }) => name === 'firstContentfulPaint' && ts >= start.ts);
  const from = painted?.ts ?? start.ts;
  return events
    .filter(({ name, ph, pid, tid }) => {
      return ph === 'X' && pid === start.pid && tid === start.tid && name.endsWith('RunTask');
    })
    .filter(({ ts, dur = 0 }) => ts + dur >= from)
    .reduce((sum, { tdur = 0 }) => sum + Math.max(0, (tdur / 1000) * SLOWDOWN - LONG_TASK_MS), 0);
}

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
      measured: `${blocking.toFixed(0)} ms; main-thread CPU time ${median(({ blockingCpuMs }) => blockingCpuMs).toFixed(0)} ms`,
      target: `≤ ${MAX_BLOCKING_MS} ms`,
      ok: blocking <= MAX_BLOCKING_MS,
    },
    {
      what: `Lighthouse accessibility, best practices and SEO, ${name} (lowest of ${reports.length})`,
      measured: others.join(', '),
      target: '100 each',
      ok: others.every((value) => value === 100),
    },
  ];
}
