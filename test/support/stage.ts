import { expect } from 'bun:test';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { borrowBrowser, watchForErrors } from './browser.ts';
import { type Running, type RunOptions, startBellbird } from './executable.ts';

export type Visitor = { context: BrowserContext; page: Page; errors: string[] };

/** A running product and a browser in front of it. */
export type Stage = {
  url: string;
  bellbird: Running;
  browser: Browser;
  /** Opens a window of its own, signed in as a seeded demo user unless `as` is null. */
  visit(route: string, options?: { as?: string | null; browser?: BrowserContextOptions }): Promise<Visitor>;
  /** What the server printed that is a warning or worse. */
  complaints(): string[];
  close(): Promise<void>;
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
export async function openStage(env: Record<string, string> = {}, options: RunOptions = {}): Promise<Stage> {
  const bellbird = await startBellbird({ ...options, env: { BELLBIRD_TEST: '1', ...env } });
  return stageBefore(bellbird);
}

/** A browser before a product that runs already. */
export async function stageBefore(bellbird: Running): Promise<Stage> {
  const { browser, giveBack } = await borrowBrowser().catch(async (error: unknown) => {
    await bellbird.stop();
    throw error;
  });
  const windows: BrowserContext[] = [];
  return {
    url: bellbird.url,
    bellbird,
    browser,
    async visit(route, { as = 'premium', browser: settings = {} } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        // The page follows the system, which is a dark one here.
        colorScheme: 'dark',
        // Where most users are: elsewhere times of the market have their zone beside them.
        timezoneId: 'Australia/Sydney',
        ...settings,
      });
      windows.push(context);
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      if (as !== null) await rememberSession(page, bellbird.url, await seedSession(bellbird.url, as));
      const errors = watchForErrors(page);
      await page.goto(`${bellbird.url}/#${route}`);
      return { context, page, errors };
    },
    complaints: () =>
      bellbird
        .log()
        .split('\n')
        .filter((line) => COMPLAINT.test(line)),
    async close() {
      // Closing one twice does nothing.
      await Promise.all(windows.map((context) => context.close()));
      await giveBack();
      await bellbird.stop();
    },
  };
}

/** Puts a session where the application keeps it, before the page loads it. A page of its own would cost a process. */
async function rememberSession(page: Page, url: string, session: Session): Promise<void> {
  const empty = `${url}/empty`;
  // With an icon of its own, as the browser would ask the server for one.
  const body = '<link rel="icon" href="data:,">';
  await page.route(empty, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(empty);
  await page.evaluate(({ accessToken, accessLevel }) => {
    localStorage.setItem('accessToken', accessToken);
    localStorage.setItem('accessLevel', String(accessLevel));
  }, session);
  await page.unroute(empty);
}

export const grid = (page: Page, title: string): Locator => page.getByRole('grid', { name: title });

/** Cell texts by column heading. */
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

/** Fails when the page or the server complained. */
export function expectQuiet(stage: Stage, ...visitors: Visitor[]): void {
  for (const { errors } of visitors) expect(errors).toEqual([]);
  expect(stage.complaints()).toEqual([]);
}

/**
 * Ends what a file opened for all of its stories, as far as it was opened.
 * @throws when the page or the server complained, with all of it ended
 */
export async function endQuietly(stage: Stage | undefined, visitor: Visitor | undefined): Promise<void> {
  try {
    await visitor?.context.close();
    if (stage && visitor) expectQuiet(stage, visitor);
  } finally {
    await stage?.close();
  }
}

/**
 * Keeps a picture when the run was asked to (`bun run e2e --screenshots`).
 * @param use the README's few go to `docs/screenshots`, those to look through to `dist/screenshots`.
 */
export async function picture(page: Page, name: string, use: 'readme' | 'review' = 'review'): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return;
  const folder = join(import.meta.dir, '..', '..', use === 'readme' ? 'docs' : 'dist', 'screenshots');
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
