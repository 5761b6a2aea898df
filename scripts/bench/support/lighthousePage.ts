import { rm } from 'node:fs/promises';
import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { chromiumCandidates } from '#scripts/chromium.ts';
import { freePort, temporaryFolder } from '#support/executable.ts';
import type { Session } from '#support/stage.ts';
import type { TraceEvent } from './mainThread.ts';

export type PageReport = {
  scores: { performance: number; accessibility: number; bestPractices: number; seo: number };
  blockingMs: number;
  /** From the main thread's processor time, which other programs do not affect. */
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

/** Opens a page in a new browser profile as a phone on a slow network. */
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
    // Not a page of the product, so that the cache stays empty.
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
