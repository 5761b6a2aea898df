import axeCore from 'axe-core';
import { type Browser, type BrowserServer, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { chromiumCandidates } from '../../scripts/chromium.ts';

/** Names the browser that a run of many story files shares; without it each stage starts its own. */
export const SHARED_BROWSER = 'BELLBIRD_STORIES_BROWSER';

/** Without a window; it speaks only to addresses it is told to. */
function launchOptions(): LaunchOptions {
  const [executablePath] = chromiumCandidates();
  if (!executablePath) throw new Error('There is no Chromium here. Run: bun scripts/chromium.ts');
  return {
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}

/**
 * The machine's Chromium, or a connection to the shared one. Closing it closes its own windows alone, and no other
 * connection sees them.
 */
export async function launchBrowser(): Promise<Browser> {
  const shared = process.env[SHARED_BROWSER];
  return shared ? chromium.connect(shared) : chromium.launch(launchOptions());
}

/** A browser that many test processes share: starting one takes as long as a story. */
export const launchSharedBrowser = (): Promise<BrowserServer> =>
  chromium.launchServer({ ...launchOptions(), host: '127.0.0.1' });

/**
 * Collects what a page complains about: console errors, uncaught exceptions, failed requests.
 * @param errors where to; several pages may share one list.
 */
export function watchForErrors(page: Page, errors: string[] = []): string[] {
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'no reason';
    // A page that closes aborts what it was still loading; that is no fault.
    if (reason !== 'net::ERR_ABORTED') errors.push(`request: ${request.url()} ${reason}`);
  });
  return errors;
}

type AxeResults = {
  violations: { id: string; impact?: string | null; nodes: { html: string; failureSummary?: string }[] }[];
};

/** The rows of a table are made alike: the first six of each tell what there is to tell, and looking at all costs the most. */
const AXE_LOOKS_AT = `{ include: [["html"]], exclude: [["tbody > tr:nth-of-type(n+7):not([data-detail])"]] }`;
const AXE_OPTIONS = '{ resultTypes: ["violations"], preload: false }';

/** Runs axe on the page as it stands. @returns one line per serious or critical finding. */
export async function axe(page: Page): Promise<string[]> {
  // As an evaluated script: the page's content security policy rightly refuses a script tag.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeCore.source);
  const results = (await page.evaluate(`axe.run(${AXE_LOOKS_AT}, ${AXE_OPTIONS})`)) as AxeResults;
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} — ${failureSummary ?? ''}`),
    );
}
