import { readFileSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { chromiumCandidates } from '#scripts/chromium.ts';
import type { Theme } from '#web/shared/preferences.ts';

/** Set in a run of many end-to-end tests: those of one process share a browser, which ends with the process. */
export const E2E_RUN = 'BELLBIRD_E2E_RUN';

/** Headless; it connects only to addresses it is given. */
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

/** The machine’s Chromium, started again. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(launchOptions());

/** A browser, and what its user does with it at the end. */
export type Borrowed = { browser: Browser; giveBack(): Promise<void> };

let kept: Promise<Browser> | null = null;

/** One browser for all callers. A new one starts if the last has ended; a failed start is retried for the next caller. */
async function keptBrowser(): Promise<Browser> {
  kept ??= launchBrowser();
  const asked = kept;
  const browser = await asked.catch(() => null);
  if (browser?.isConnected()) return browser;
  if (kept === asked) kept = null;
  // A failed start fails every waiting caller.
  return browser === null ? asked : keptBrowser();
}

/** In a run of many end-to-end tests the process’ shared browser, otherwise one that is closed when returned. */
export async function borrowBrowser(): Promise<Borrowed> {
  if (process.env[E2E_RUN] === '1') return { browser: await keptBrowser(), giveBack: async () => {} };
  const browser = await launchBrowser();
  return { browser, giveBack: () => browser.close() };
}

/** Collects a page’s errors: console errors, uncaught exceptions, failed requests. @param errors the target list, which several pages may share */
export function watchForErrors(page: Page, errors: string[] = []): string[] {
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'no reason';
    // Closing a page aborts its pending requests, which is not an error.
    if (reason !== 'net::ERR_ABORTED') errors.push(`request: ${request.url()} ${reason}`);
  });
  return errors;
}

type AxeResults = {
  violations: { id: string; impact?: string | null; nodes: { html: string; failureSummary?: string }[] }[];
};

/** The rows of a table are similar, so the first six of each are enough; checking all takes longest. */
const AXE_LOOKS_AT = `{ include: [["html"]], exclude: [["tbody > tr:nth-of-type(n+7):not([data-detail])"]] }`;

/** The rules to check; a second theme changes only colours, so there only these rules can differ. */
const AXE_RULES = {
  all: '{ resultTypes: ["violations"], preload: false }',
  colours:
    '{ resultTypes: ["violations"], preload: false, runOnly: ["color-contrast", "link-in-text-block"] }',
};

/** The small one, because every checked page parses it again. */
const axeSource = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8');

/** Removes transitions from a page, including running ones, and moves its animations to their end: half of a fade is not a state of the page. */
const SETTLE = `
  window.settled = new CSSStyleSheet();
  settled.replaceSync("*, ::before, ::after { transition: none !important }");
  document.adoptedStyleSheets.push(settled);
  for (const one of document.getAnimations()) {
    if (Number.isFinite(one.effect.getComputedTiming().endTime)) one.finish();
  }`;
const UNSETTLE = 'document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== settled)';

/** Runs axe on the page in its current state. @returns one line per serious or critical finding. */
export const axe = (page: Page, rules: keyof typeof AXE_RULES = 'all'): Promise<string[]> =>
  findingsOf(page, AXE_LOOKS_AT, rules);

/**
 * Runs axe only on what covers the page, with the options of a list box, which is faster: the page below is checked separately. @throws if nothing
 * covers it
 */
export async function axeOf(
  page: Page,
  role: 'dialog' | 'menu',
  rules: keyof typeof AXE_RULES = 'all',
): Promise<string[]> {
  const over = `[role=${role}]`;
  // axe itself accepts any options.
  if ((await page.locator(over).count()) === 0) throw new Error(`Nothing on the page is a ${role}.`);
  return findingsOf(page, `{ include: [["${over}"], ["[role=listbox]"]] }`, rules);
}

async function findingsOf(page: Page, where: string, rules: keyof typeof AXE_RULES): Promise<string[]> {
  // As an evaluated script, because the page’s content security policy refuses a script tag.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  await page.evaluate(SETTLE);
  const results = (await page.evaluate(`axe.run(${where}, ${AXE_RULES[rules]})`)) as AxeResults;
  await page.evaluate(UNSETTLE);
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} — ${failureSummary ?? ''}`),
    );
}

/** Chooses a theme as another window of the browser would. Its colours may still be changing, which the axe run completes. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((chosen) => {
    const key = 'bellbird.preferences';
    localStorage.setItem(key, JSON.stringify({ theme: chosen }));
    window.dispatchEvent(new StorageEvent('storage', { key }));
  }, theme);
  await page.waitForFunction((chosen) => document.documentElement.dataset.theme === chosen, theme);
}

/**
 * Runs axe on the page in the dark theme, and then in the light one, which stays.
 * @param shown is called in each, once the page shows it
 * @param over what covers the page, to check only that
 * @returns one line per serious or critical finding
 */
export async function axeInBothThemes(
  page: Page,
  shown: (theme: Theme) => Promise<void> = async () => {},
  over?: 'dialog' | 'menu',
): Promise<string[]> {
  const results: string[] = [];
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme);
    const rules = theme === 'dark' ? 'all' : 'colours';
    const found = await (over ? axeOf(page, over, rules) : axe(page, rules));
    results.push(...found.map((result) => `${theme}: ${result}`));
    await shown(theme);
  }
  return results;
}
