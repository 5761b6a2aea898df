import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Session } from './stage.ts';

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
