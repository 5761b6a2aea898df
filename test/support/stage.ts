import { afterAll, expect } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { borrowBrowser, watchForErrors } from './browser.ts';
import { type Running, startBellbird } from './executable.ts';
import { FED, type FedStock, feed } from './fedMarket.ts';

/** A window as most stories have it. */
export const USUAL_WINDOW: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  // The page follows the system, which is a dark one here.
  colorScheme: 'dark',
  // Where most users are: elsewhere times of the market have their zone beside them.
  timezoneId: 'Australia/Sydney',
  // What a story routes would pass by a worker.
  serviceWorkers: 'block',
};

/** Shows an address of the server's at which nothing of the application is. */
async function showEmpty(page: Page, url: string): Promise<void> {
  const empty = `${url}/empty`;
  if (page.url() === empty) return;
  // With an icon of its own, as the browser would ask the server for one.
  const body = '<link rel="icon" href="data:,">';
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(empty);
  await page.unroute(empty);
}

/** Puts a session where the application keeps it, before the page loads it. A page of its own would cost a process. */
export async function rememberSession(page: Page, url: string, session: Session): Promise<void> {
  await showEmpty(page, url);
  await page.evaluate(({ accessToken, accessLevel }) => {
    localStorage.setItem('accessToken', accessToken);
    localStorage.setItem('accessLevel', String(accessLevel));
  }, session);
}

/** Leaves nothing of a visit in its window, and no other window of its browser context. */
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
   * Leaves the window, emptied, to whoever visits next with the same settings: its process knows the page's code already,
   * which is half of what a visit costs. Routes, sizes and storage are forgotten; who changed anything else of the context,
   * such as its clock or scripts that run first, closes it instead. One that was changed by `first` is closed here.
   */
  leave(): Promise<void>;
};

type VisitOptions = {
  as?: string | null;
  browser?: BrowserContextOptions;
  /** Changes the window before it loads anything; nobody else gets such a window. */
  first?: (context: BrowserContext) => Promise<unknown>;
};

/** What a page does not take on a machine that does much else either: only what hangs is given up. */
const PATIENCE_MS = 90_000;

export type Session = { accessToken: string; accessLevel: number };

/** A line of the log at a level that asks for somebody's attention. */
export const COMPLAINT = /^\S+ (WARN|WARNING|ERROR|FATAL) /m;

const LEVELS: Record<string, number> = { free: 1, basic: 2, premium: 3, admin: 4 };

/** Makes or finds a demo user; the level follows the name. The server must be in test mode. */
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
export const openStage = async (env: Record<string, string> = {}): Promise<Stage> =>
  stageBefore(await startBellbird({ env: { BELLBIRD_TEST: '1', ...env } }));

/** The same, with a market of these stocks, which is fed. */
export async function openFedStage(stocks: readonly FedStock[]): Promise<Stage> {
  const stage = await openStage(FED);
  await feed(stage.url, ...stocks);
  return stage;
}

/** A browser before a product that runs already. */
export async function stageBefore(bellbird: Running) {
  const { browser, giveBack } = await borrowBrowser().catch(async (error: unknown) => {
    await bellbird.stop();
    throw error;
  });
  const windows: BrowserContext[] = [];
  const left = new Map<string, Page[]>();
  /** A window that shows nothing yet, with the settings and the patience that a visitor's has; closed with the stage. */
  const openWindow = async (settings: BrowserContextOptions = USUAL_WINDOW): Promise<Page> => {
    const context = await browser.newContext(settings);
    windows.push(context);
    context.setDefaultTimeout(PATIENCE_MS);
    return context.newPage();
  };
  return {
    url: bellbird.url,
    bellbird,
    /** The server's time, epoch ms. */
    now: () => Date.now() + bellbird.aheadMs,
    browser,
    openWindow,
    /** Opens a window of its own, signed in as a seeded demo user unless `as` is null. */
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
    /** What the server printed that is a warning or worse. */
    complaints: () =>
      bellbird
        .log()
        .split('\n')
        .filter((line) => COMPLAINT.test(line)),
    async close(): Promise<void> {
      // Closing one twice does nothing.
      await Promise.all(windows.map((context) => context.close()));
      await giveBack();
      await bellbird.stop();
    },
  };
}

/** A running product and a browser in front of it. */
export type Stage = Awaited<ReturnType<typeof stageBefore>>;

export const grid = (page: Page, title: string): Locator => page.getByRole('grid', { name: title });

export type ShownRow = { id: string; cells: Record<string, string> };

/** The rows of a table that are drawn at this moment, from the top. */
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

/** What a cell shows as a number: signs, arrows, currency, thousands and percent marks set aside; null for a dash. */
export function shownNumber(text: string | undefined): number | null {
  const plain = (text ?? '').replaceAll('−', '-').replaceAll(/[^\d.-]/g, '');
  return /\d/.test(plain) ? Number(plain) : null;
}

/** Asks again until the answer is yes. @throws with the description when it never is. */
export async function until(
  what: string,
  ask: () => boolean | Promise<boolean>,
  milliseconds = PATIENCE_MS,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await ask())) {
    if (Date.now() > end) throw new Error(`It did not come about in ${milliseconds / 1000} s: ${what}`);
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

/** Asks a server as a script of a user would. @throws where it does not answer with success */
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

/** Fails when the page or the server complained. */
export function expectQuiet(stage: Stage, ...visitors: Pick<Visitor, 'errors'>[]): void {
  for (const { errors } of visitors) expect(errors).toEqual([]);
  expect(stage.complaints()).toEqual([]);
}

/**
 * Ends what a file opened for all of its stories.
 * @throws when the page or the server complained, with all of it ended
 */
async function endQuietly(stage: Stage, visitor: Visitor): Promise<void> {
  try {
    await visitor.context.close();
    expectQuiet(stage, visitor);
  } finally {
    await stage.close();
  }
}

/** Opens what the stories of a file share: a stage and a visitor of it. After them both end, without a complaint. */
export async function openStory(opening: Promise<Stage>, route: string, options?: VisitOptions) {
  const stage = await opening;
  const visitor = await stage.visit(route, options).catch(async (error: unknown) => {
    await stage.close();
    throw error;
  });
  afterAll(() => endQuietly(stage, visitor));
  return { stage, visitor, page: visitor.page };
}

/** Waits until the parts that every screen may have show what they will show. */
async function untilWhole(page: Page): Promise<void> {
  await page.locator('.snackbar:not(:empty)').waitFor({ state: 'detached' });
  // The market's line above the scanners comes after the first screen, and not on a phone.
  const hasLine =
    /#\/(?:pre-market|intra-day|custom)/.test(page.url()) && (page.viewportSize()?.width ?? 0) > 600;
  if (hasLine) await page.locator('.overview-figures', { hasText: 'traded' }).waitFor();
}

/**
 * Shows or hides where a story's keyboard focus is, which says nothing to a reader. By a sheet made in script, because the
 * page's policy refuses others.
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
 * Keeps a picture of the README in `docs/screenshots` when the run was asked to (`bun run e2e --screenshots`).
 * @param isReady whether the screen shows what the picture is for
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
