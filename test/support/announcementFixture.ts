import type { Db } from '#platform/db/open.ts';
import type { Stock } from '#market/rules/stock.ts';
import { createHandAnnouncements, type HandAnnouncements } from './handAnnouncements.ts';
import { createFakeClock, createTestApp, type FakeClock } from './testApp.ts';

/** An application with started announcements that a test provides. */
export function openAnnouncements(options: { db?: Db; clock?: FakeClock; news?: HandAnnouncements } = {}) {
  const news = options.news ?? createHandAnnouncements();
  const clock = options.clock ?? createFakeClock();
  const app = createTestApp({
    clock,
    source: { announcements: news },
    ...(options.db && { db: options.db }),
  });
  app.parts.announcements.start();
  return {
    ...app,
    news,
    stock(code: string): Stock {
      const stock = app.parts.market.service.get(code);
      if (!stock) throw new Error(`${code} is not listed.`);
      return stock;
    },
    list(...codes: string[]): void {
      app.source.apply(codes.map((code) => ({ code, name: code, last: 1, close: 1 })));
      app.tick.run();
    },
    close(): void {
      // Stopping writes pending data only in the next turn.
      app.parts.announcements.service.sink.settle();
      void app.parts.announcements.stop();
      app.close();
    },
  };
}

export type AnnouncementFixture = ReturnType<typeof openAnnouncements>;
