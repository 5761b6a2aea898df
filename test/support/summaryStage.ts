import type { NewsDay } from '../../src/market/rules/stock.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Release } from '../../src/sources/announcements/source.ts';
import { type FakeModel, startFakeModel } from './fakeModel.ts';
import { createHandAnnouncements } from './handAnnouncements.ts';
import {
  createTestApp,
  type FakeClock,
  type Role,
  START,
  type TestApp,
  type TestAppOptions,
} from './testApp.ts';
import { waitUntil } from './waitUntil.ts';

/** Sydney date of the test's clock. */
export const TODAY = '2026-11-18';

type Documents = { url: string; answers: Map<string, () => Response | Promise<Response>>; fetched: string[] };

export type SummaryStage = {
  test: TestApp;
  model: FakeModel;
  clock: FakeClock;
  /** What stands at an address of the local server of documents. */
  documents: Documents;
  withdraw(ids: readonly string[]): void;
  /** A new announcement of BHP, or of another stock. */
  release(more?: Partial<Release>): void;
  summarise(as: Exclude<Role, 'guest'> | { token: string }, symbol?: string): ReturnType<TestApp['request']>;
  /** The day's news in the record of a stock, after a tick. */
  day(code?: string): NewsDay | undefined;
  /** Waits until a summary or a note is there. */
  settled(code?: string): Promise<NewsDay>;
  close(): Promise<void>;
};

function serveDocuments(): Documents & { stop(): Promise<void> } {
  const answers: Documents['answers'] = new Map();
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

type StageOptions = TestAppOptions & {
  /** What the announcements are timed with; the wall clock when not given. */
  announcementClock?: Clock;
};

/** An application with stocks and announcements by hand, a model and a server of documents of its own. */
export async function summaryStage({
  announcementClock,
  ...options
}: StageOptions = {}): Promise<SummaryStage> {
  const model = startFakeModel();
  const documents = serveDocuments();
  const source = createHandAnnouncements(announcementClock && { clock: announcementClock });
  const test = createTestApp({
    ...options,
    env: {
      BELLBIRD_AI_URL: model.url,
      BELLBIRD_AI_KEY: 'key-of-the-stage',
      BELLBIRD_AI_MODEL: 'm',
      ...options.env,
    },
    source: { announcements: source },
  });
  const { clock } = test;
  test.parts.announcements.start();
  test.source.give(
    ['BHP', 'CBA', 'FMG', 'RIO', 'WOW'].map((code) => ({ code, name: `${code} Ltd`, last: 10 })),
  );
  let count = 0;
  const day: SummaryStage['day'] = (code = 'BHP') => {
    test.tick.run();
    return test.parts.market.service.get(code)?.news?.[TODAY];
  };
  return {
    ...{ test, model, clock, documents, day },
    withdraw: source.withdraw,
    release(more = {}) {
      count += 1;
      const release: Release = {
        ...{ id: `doc-${count}`, code: 'BHP', headline: `Headline ${count}`, url: null, document: null },
        ...{ announcementTypes: ['Progress Report'], isPriceSensitive: true, time: START - 60_000 + count },
        ...more,
      };
      source.give([release]);
    },
    summarise: (as, symbol = 'BHP') =>
      test.request('POST', '/api/data/news/summarise', { as, body: { symbol } }),
    async settled(code) {
      let found: NewsDay | undefined;
      await waitUntil('a summary or a note', () => {
        const today = day(code);
        if (today && (today.summary !== null || today.summary_note)) found = today;
        return found !== undefined;
      });
      if (!found) throw new Error('There is neither summary nor note.');
      return found;
    },
    async close() {
      await test.parts.summaries.stop();
      await test.parts.announcements.stop();
      test.close();
      await model.stop();
      await documents.stop();
    },
  };
}
