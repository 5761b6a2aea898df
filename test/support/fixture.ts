import { afterAll, expect } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { borrowBrowser, watchForErrors } from './browser.ts';
import { type Running, startBellbird } from './executable.ts';
import { FED, type FedStock, feed } from './fedMarket.ts';

/** The window settings of most end-to-end tests. */
export const USUAL_WINDOW: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  // The page follows the system, which uses the dark theme here.
  colorScheme: 'dark',
  // Where most users are: elsewhere market times show their zone.
  timezoneId: 'Australia/Sydney',
  // A worker would bypass the routes that a test intercepts.
  serviceWorkers: 'block',
};

/** Opens an address of the server without the application. */
async function showEmpty(page: Page, url: string): Promise<void> {
  const empty = `${url}/empty`;
  if (page.url() === empty) return;
  // With its own icon, which the browser would otherwise request from the server.
  const body = '<link rel="icon" href="data:,">';
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(empty);
  await page.unroute(empty);
}

/** Stores a session where the application expects it, before the page loads. A separate page would cost a process. */
export async function rememberSession(page: Page, url: string, session: Session): Promise<void> {
  await showEmpty(page, url);
  await page.evaluate(({ accessToken, accessLevel }) => {
    localStorage.setItem('accessToken', accessToken);
    localStorage.setItem('accessLevel', String(accessLevel));
  }, session);
}

/** Leaves nothing of a visit in its window, and no other window in its browser context. */
export async function emptyWindow(page: Page, url: string): Promise<void> {
  const context = page.context();
  await Promise.all(
    context
      .pages()
      .filter((one) => one !== page)
      .map((one) => one.close()),
  );
  await context.unrouteAll();
  await page.unrouteAll();
  await showEmpty(page, url);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  for (const event of ['console', 'pageerror', 'request', 'requestfailed']) page.removeAllListeners(event);
}

export type Visitor = {
  context: BrowserContext;
  page: Page;
  errors: string[];
  /**
   * Leaves the window, emptied, to the next visitor with the same settings: its process has loaded the page’s code, which is half of the cost of a
   * visit. Routes, sizes and storage are reset; a test that changes anything else of the context, such as its clock or init scripts, must close it
   * instead. One changed by `first` is closed here.
   */
  leave(): Promise<void>;
};

type VisitOptions = {
  as?: string | null;
  browser?: BrowserContextOptions;
  /** Changes the window before it loads anything; no other test gets such a window. */
  first?: (context: BrowserContext) => Promise<unknown>;
};

/** Longer than a page takes even on a busy machine, so only a hanging one fails. */
const PATIENCE_MS = 90_000;

export type Session = { accessToken: string; accessLevel: number };

/** A log line at a level that needs attention. */
export const COMPLAINT = /^\S+ (WARN|WARNING|ERROR|FATAL) /m;

const LEVELS: Record<string, number> = { free: 1, basic: 2, premium: 3, admin: 4 };

/** Creates or finds a demo user; the level follows the name. The server must be in test mode. */
export async function seedSession(url: string, username: string): Promise<Session> {
  const response = await fetch(`${url}/api/test/seed`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username }),
  });
  if (!response.ok) throw new Error(`No demo user ${username}: ${await response.text()}`);
  const { accessToken, user } = (await response.json()) as { accessToken: string; user: { role: string } };
  return { accessToken, accessLevel: LEVELS[user.role] ?? 1 };
}

/** Starts the executable in test mode and a browser. */
export const openFixture = async (env: Record<string, string> = {}): Promise<Fixture> =>
  fixtureBefore(await startBellbird({ env: { BELLBIRD_TEST: '1', ...env } }));

/** The same, with a market of these stocks, fed by the test. */
export async function openFedFixture(stocks: readonly FedStock[]): Promise<Fixture> {
  const fixture = await openFixture(FED);
  await feed(fixture.url, ...stocks);
  return fixture;
}

/** A browser for a product that runs already. */
export async function fixtureBefore(bellbird: Running) {
  const { browser, giveBack } = await borrowBrowser().catch(async (error: unknown) => {
    await bellbird.stop();
    throw error;
  });
  const windows: BrowserContext[] = [];
  const left = new Map<string, Page[]>();
  /** An empty window with a visitor’s settings and timeouts; closed with the fixture. */
  const openWindow = async (settings: BrowserContextOptions = USUAL_WINDOW): Promise<Page> => {
    const context = await browser.newContext(settings);
    windows.push(context);
    context.setDefaultTimeout(PATIENCE_MS);
    return context.newPage();
  };
  return {
    url: bellbird.url,
    bellbird,
    /** The server’s time, epoch ms. */
    now: () => Date.now() + bellbird.aheadMs,
    browser,
    openWindow,
    /** Opens a separate window, signed in as a seeded demo user unless `as` is null. */
    async visit(
      route: string,
      { as = 'premium', browser: more = {}, first }: VisitOptions = {},
    ): Promise<Visitor> {
      const settings = { ...USUAL_WINDOW, ...more };
      const kind = JSON.stringify(settings);
      const page = (first ? undefined : left.get(kind)?.pop()) ?? (await openWindow(settings));
      const context = page.context();
      await first?.(context);
      if (as !== null) await rememberSession(page, bellbird.url, await seedSession(bellbird.url, as));
      const errors = watchForErrors(page);
      await page.goto(`${bellbird.url}/#${route}`);
      const leave = async (): Promise<void> => {
        if (first) return context.close();
        await emptyWindow(page, bellbird.url);
        if (settings.viewport) await page.setViewportSize(settings.viewport);
        left.set(kind, [...(left.get(kind) ?? []), page]);
      };
      return { context, page, errors, leave };
    },
    /** The server’s output at warning level or above. */
    complaints: () =>
      bellbird
        .log()
        .split('\n')
        .filter((line) => COMPLAINT.test(line)),
    async close(): Promise<void> {
      // Closing one twice has no effect.
      await Promise.all(windows.map((context) => context.close()));
      await giveBack();
      await bellbird.stop();
    },
  };
}

export type Fixture = Awaited<ReturnType<typeof fixtureBefore>>;

export const grid = (page: Page, title: string): Locator => page.getByRole('grid', { name: title });

export type ShownRow = { id: string; cells: Record<string, string> };

/** The rows of a table that are rendered now, from the top. */
export function shownRows(table: Locator): Promise<ShownRow[]> {
  return table.evaluate((element) => {
    const text = (node: Element | null | undefined): string => node?.textContent?.trim() ?? '';
    const headings = [...element.querySelectorAll('[role="columnheader"]')].map((heading) =>
      text(heading.querySelector('.table-sort-label') ?? heading),
    );
    const rows = [...element.querySelectorAll<HTMLElement>('tr[data-id]')].sort(
      (a, b) => Number(a.getAttribute('aria-rowindex')) - Number(b.getAttribute('aria-rowindex')),
    );
    return rows.map((row) => ({
      id: row.dataset.id ?? '',
      cells: Object.fromEntries(
        [...row.children].map((cell, index) => [headings[index] ?? String(index), text(cell)]),
      ),
    }));
  });
}

/** A cell as a number, without signs, arrows, currency, thousands and percent marks; null for a dash. */
export function shownNumber(text: string | undefined): number | null {
  const plain = (text ?? '').replaceAll('−', '-').replaceAll(/[^\d.-]/g, '');
  return /\d/.test(plain) ? Number(plain) : null;
}

/** Repeats the check until it is true. @throws with the description if it never is. */
export async function until(
  what: string,
  ask: () => boolean | Promise<boolean>,
  milliseconds = PATIENCE_MS,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await ask())) {
    if (Date.now() > end) throw new Error(`Not true after ${milliseconds / 1000} s: ${what}`);
    await Bun.sleep(50);
  }
}

/** Waits until a row of the table shows new values in its place. */
export async function expectMoving(table: Locator): Promise<void> {
  await table.locator('tr[data-id]').first().waitFor();
  let before = new Map<string, string>();
  await until('a row of the table shows new values', async () => {
    const now = new Map((await shownRows(table)).map(({ id, cells }) => [id, JSON.stringify(cells)]));
    const moved = [...now].some(([id, cells]) => (before.get(id) ?? cells) !== cells);
    before = now;
    return moved;
  });
}

/** Sends a server a request as a user’s script would. @throws if it does not answer with success */
export async function callApi<T>(
  address: string,
  { token, method, body }: { token: string; method: string; body?: unknown },
): Promise<T> {
  const response = await fetch(address, {
    method,
    headers: { 'content-type': 'application/json', authorization: token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Fails if the page or the server reported an error. */
export function expectQuiet(fixture: Fixture, ...visitors: Pick<Visitor, 'errors'>[]): void {
  for (const { errors } of visitors) expect(errors).toEqual([]);
  expect(fixture.complaints()).toEqual([]);
}

/** Closes what a file opened for all its tests. @throws if the page or the server reported an error, after everything is closed */
async function endQuietly(fixture: Fixture, visitor: Visitor): Promise<void> {
  try {
    await visitor.context.close();
    expectQuiet(fixture, visitor);
  } finally {
    await fixture.close();
  }
}

/** Opens what the tests of a file share: a fixture and a visitor. Afterwards both close without an error. */
export async function openVisit(opening: Promise<Fixture>, route: string, options?: VisitOptions) {
  const fixture = await opening;
  const visitor = await fixture.visit(route, options).catch(async (error: unknown) => {
    await fixture.close();
    throw error;
  });
  afterAll(() => endQuietly(fixture, visitor));
  return { fixture, page: visitor.page };
}

/** Waits until the parts that every screen may have are settled. */
async function untilWhole(page: Page): Promise<void> {
  await page.locator('.snackbar:not(:empty)').waitFor({ state: 'detached' });
  // The market line above the scanners loads after the first screen, and not on a phone.
  const hasLine =
    /#\/(?:pre-market|intra-day|custom)/.test(page.url()) && (page.viewportSize()?.width ?? 0) > 600;
  if (hasLine) await page.locator('.overview-figures', { hasText: /traded|by match price/ }).waitFor();
}

/**
 * Shows or hides the mark of the keyboard focus, which means nothing in a picture. Uses a constructed sheet, because the page’s policy refuses
 * others.
 */
const showFocus = (page: Page, isShown: boolean): Promise<void> =>
  page.evaluate((shown) => {
    const hiding = new CSSStyleSheet();
    hiding.replaceSync(':focus-visible { outline: none !important; }');
    const [rule] = hiding.cssRules;
    const others = document.adoptedStyleSheets.filter(
      ({ cssRules }) => cssRules[0]?.cssText !== rule?.cssText,
    );
    document.adoptedStyleSheets = shown ? others : [...others, hiding];
  }, isShown);

/**
 * Saves a picture for the README in `docs/screenshots` if the run has the option (`bun run e2e --screenshots`).
 * @param isReady whether the screen shows the content of the picture
 */
export async function picture(
  page: Page,
  name: string,
  isReady: () => Promise<boolean> = async () => true,
): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return;
  const folder = join(import.meta.dir, '..', '..', 'docs', 'screenshots');
  await mkdir(folder, { recursive: true });
  await untilWhole(page);
  await until(`the picture ${name} can be taken`, isReady);
  await showFocus(page, false);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await showFocus(page, true);
}
