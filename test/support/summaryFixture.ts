import type { NewsDay } from '#market/rules/stock.ts';
import type { Clock } from '#lib/clock.ts';
import type { Release } from '#market/sources/announcements.ts';
import { startFakeModel } from './fakeModel.ts';
import { createHandAnnouncements } from './handAnnouncements.ts';
import { createTestApp, START, type TestAppOptions, type TestRequest } from './testApp.ts';
import { waitUntil } from './waitUntil.ts';

/** Sydney date of the test’s clock. */
export const TODAY = '2026-11-18';

function serveDocuments() {
  const answers = new Map<string, () => Response | Promise<Response>>();
  const fetched: string[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      fetched.push(pathname);
      return answers.get(pathname)?.() ?? new Response('no', { status: 404 });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, answers, fetched, stop: () => server.stop(true) };
}

type FixtureOptions = TestAppOptions & {
  /** The clock for announcement times; the wall clock by default. */
  announcementClock?: Clock;
};

/** An application with stocks and manual announcements, a model and a document server. */
export async function summaryFixture({ announcementClock, ...options }: FixtureOptions = {}) {
  const model = startFakeModel();
  const documents = serveDocuments();
  const source = createHandAnnouncements(announcementClock && { clock: announcementClock });
  const test = createTestApp({
    ...options,
    env: {
      BELLBIRD_AI_URL: model.url,
      BELLBIRD_AI_KEY: 'key-of-the-fixture',
      BELLBIRD_AI_MODEL: 'm',
      ...options.env,
    },
    source: { announcements: source },
  });
  const { clock } = test;
  test.parts.announcements.start();
  test.source.apply(
    ['BHP', 'CBA', 'FMG', 'RIO', 'WOW'].map((code) => ({ code, name: `${code} Ltd`, last: 10 })),
  );
  let count = 0;
  /** The day’s news in the record of a stock, after a tick. */
  const day = (code = 'BHP'): NewsDay | undefined => {
    test.tick.run();
    return test.parts.market.service.get(code)?.news?.[TODAY];
  };
  return {
    test,
    model,
    clock,
    documents,
    day,
    withdraw: source.withdraw,
    /** A new announcement of BHP, or of another stock. */
    release(more: Partial<Release> = {}): void {
      count += 1;
      const release: Release = {
        id: `doc-${count}`,
        code: 'BHP',
        headline: `Headline ${count}`,
        url: null,
        document: null,
        announcementTypes: ['Progress Report'],
        isPriceSensitive: true,
        time: START - 60_000 + count,
        ...more,
      };
      source.apply([release]);
    },
    summarise: (as: TestRequest['as'], symbol = 'BHP') =>
      test.request('POST', '/api/data/news/summarise', { as, body: { symbol } }),
    /** Waits until a summary or a note is there. */
    async settled(code?: string): Promise<NewsDay> {
      let found: NewsDay | undefined;
      await waitUntil('a summary or a note', () => {
        const today = day(code);
        if (today && (today.summary !== null || today.summary_note)) found = today;
        return found !== undefined;
      });
      if (!found) throw new Error('There is neither summary nor note.');
      return found;
    },
    async close(): Promise<void> {
      await test.parts.summaries.stop();
      await test.parts.announcements.stop();
      test.close();
      await model.stop();
      await documents.stop();
    },
  };
}
