import axeCore from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumCandidates } from '../../scripts/chromium.ts';

/** The machine's Chromium without a window; it speaks only to addresses it is told to. */
export function launchBrowser(): Promise<Browser> {
  const [executablePath] = chromiumCandidates();
  if (!executablePath) throw new Error('There is no Chromium here. Run: bun scripts/chromium.ts');
  return chromium.launch({
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
  });
}

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

/** Runs axe on the page as it stands. @returns one line per serious or critical finding. */
export async function axe(page: Page): Promise<string[]> {
  // As an evaluated script: the page's content security policy rightly refuses a script tag.
  await page.evaluate(axeCore.source);
  const results = (await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')) as AxeResults;
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} — ${failureSummary ?? ''}`),
    );
}
