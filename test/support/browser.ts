import { readFileSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { chromiumCandidates } from '#scripts/chromium.ts';
import type { Theme } from '#web/shared/preferences.ts';

/** Set in a run of many stories: those that a process tells share a browser, which ends with the process. */
export const STORY_RUN = 'BELLBIRD_STORY_RUN';

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

/** The machine's Chromium, started again. */
export const launchBrowser = (): Promise<Browser> => chromium.launch(launchOptions());

/** A browser, and what its user does with it at the end. */
export type Borrowed = { browser: Browser; giveBack(): Promise<void> };

let kept: Promise<Browser> | null = null;

/** One browser for all who ask; a new one when the last has ended, and where the start failed, when somebody asks again. */
async function keptBrowser(): Promise<Browser> {
  kept ??= launchBrowser();
  const asked = kept;
  const browser = await asked.catch(() => null);
  if (browser?.isConnected()) return browser;
  if (kept === asked) kept = null;
  // The one that failed fails anyone who waited for it.
  return browser === null ? asked : keptBrowser();
}

/** In a run of many stories the process' one browser, else one that is closed when it is given back. */
export async function borrowBrowser(): Promise<Borrowed> {
  if (process.env[STORY_RUN] === '1') return { browser: await keptBrowser(), giveBack: async () => {} };
  const browser = await launchBrowser();
  return { browser, giveBack: () => browser.close() };
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

/** The rows of a table are made alike: the first six of each tell what there is to tell, and looking at all costs the most. */
const AXE_LOOKS_AT = `{ include: [["html"]], exclude: [["tbody > tr:nth-of-type(n+7):not([data-detail])"]] }`;

/** Rules whose findings axe never calls worse than moderate, which are left aside here. */
const MILD_RULES = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'duplicate-id',
  'empty-heading',
  'empty-table-header',
  'focus-order-semantics',
  'form-field-multiple-labels',
  'heading-order',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-complementary-is-top-level',
  'landmark-main-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-main',
  'landmark-no-duplicate-contentinfo',
  'landmark-one-main',
  'landmark-unique',
  'meta-viewport',
  'meta-viewport-large',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'server-side-image-map',
  'skip-link',
  'table-duplicate-name',
];
const WITHOUT_MILD = JSON.stringify(Object.fromEntries(MILD_RULES.map((id) => [id, { enabled: false }])));

/** What axe looks for; in a second theme, which changes nothing but colours, only what goes by these can be different. */
const AXE_RULES = {
  all: `{ resultTypes: ["violations"], preload: false, rules: ${WITHOUT_MILD} }`,
  colours:
    '{ resultTypes: ["violations"], preload: false, runOnly: ["color-contrast", "link-in-text-block"] }',
};

/** The small one, as every page that is looked at reads it again. */
const axeSource = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8');

/**
 * Takes transitions from a page, those under way too, and moves its animations to their end: half of a fade
 * is no state of the page, and its colours are not the page's.
 */
const SETTLE = `
  window.settled = new CSSStyleSheet();
  settled.replaceSync("*, ::before, ::after { transition: none !important }");
  document.adoptedStyleSheets.push(settled);
  for (const one of document.getAnimations()) {
    if (Number.isFinite(one.effect.getComputedTiming().endTime)) one.finish();
  }`;
const UNSETTLE = 'document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== settled)';

/** Runs axe on the page as it stands. @returns one line per serious or critical finding. */
export const axe = (page: Page, rules: keyof typeof AXE_RULES = 'all'): Promise<string[]> =>
  findingsOf(page, AXE_LOOKS_AT, rules);

/**
 * Runs axe on what lies over the page alone, with the choices of a box in it, which costs a fraction: what is below is a
 * state of the page by itself.
 * @throws when there is none
 */
export async function axeOf(
  page: Page,
  role: 'dialog' | 'menu',
  rules: keyof typeof AXE_RULES = 'all',
): Promise<string[]> {
  const over = `[role=${role}]`;
  // Axe itself is content with any choices that are there.
  if ((await page.locator(over).count()) === 0) throw new Error(`Nothing on the page is a ${role}.`);
  return findingsOf(page, `{ include: [["${over}"], ["[role=listbox]"]] }`, rules);
}

async function findingsOf(page: Page, where: string, rules: keyof typeof AXE_RULES): Promise<string[]> {
  // As an evaluated script: the page's content security policy rightly refuses a script tag.
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

/** Chooses a theme as another window of the browser would. Its colours may still be on their way, which axe ends. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((chosen) => {
    const key = 'bellbird.preferences';
    localStorage.setItem(key, JSON.stringify({ theme: chosen }));
    window.dispatchEvent(new StorageEvent('storage', { key }));
  }, theme);
  await page.waitForFunction((chosen) => document.documentElement.dataset.theme === chosen, theme);
}

/**
 * Runs axe on the page as it stands in the dark theme, and then in the light one, which stays.
 *
 * @param shown is called in each, once the page shows it
 * @param over what lies over the page, to look at that alone
 * @returns one line per serious or critical finding
 */
export async function axeInBothThemes(
  page: Page,
  shown: (theme: Theme) => Promise<void> = async () => {},
  over?: 'dialog' | 'menu',
): Promise<string[]> {
  const findings: string[] = [];
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme);
    const rules = theme === 'dark' ? 'all' : 'colours';
    const found = await (over ? axeOf(page, over, rules) : axe(page, rules));
    findings.push(...found.map((finding) => `${theme}: ${finding}`));
    await shown(theme);
  }
  return findings;
}
