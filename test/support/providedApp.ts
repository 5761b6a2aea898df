import { type CalendarEvent, applyEventPatch } from '../../src/subjects/calendar/rules/calendarEvent.ts';
import { applyDelta, readStocks } from '../../src/market/rules/applyDelta.ts';
import type { Stock } from '../../src/market/rules/stock.ts';
import type { StreamMeta } from '../../src/market/rules/stream.ts';
import { createHttpClient } from '../../src/lib/httpClient/client.ts';
import { createLog } from '../../src/lib/log.ts';
import { AsxAnnouncements } from '../../src/sources/announcements/asx/index.ts';
import { FxStreet } from '../../src/sources/calendar/fxstreet/index.ts';
import { type FakeAsx, startFakeAsx } from './fakeAsx.ts';
import { type FakeFxStreet, startFakeFxStreet } from './fakeFxStreet.ts';
import { createHandScheduler } from './handScheduler.ts';
import { createPollPasser } from './passPolls.ts';
import { createEventReader } from './streamClient.ts';
import { isDelta, isSnapshot } from './streamEvents.ts';
import { createTestApp, type TestApp } from './testApp.ts';
import { waitUntil } from './waitUntil.ts';

/** What a page that reads the stream knows. */
export type Picture = {
  stocks: ReadonlyMap<string, Stock>;
  events: Map<string, CalendarEvent>;
  meta: Partial<StreamMeta>;
};

export type ProvidedApp = TestApp & {
  asx: FakeAsx;
  fxstreet: FakeFxStreet;
  picture: Picture;
  list(...codes: string[]): void;
  /** Lets so much time pass, each look of the two sources when it is due, and a tick after it; the reader has read all. */
  pass(ms: number): Promise<void>;
  end(): Promise<void>;
};

/** A stock that tells by its name how far the reader of the stream has read. */
export const MARK = 'MARK';

/** Reads a stream into a picture, as a page does, until it is cancelled. */
async function follow(response: Response, picture: Picture): Promise<() => Promise<void>> {
  const reader = response.body?.getReader();
  const read = createEventReader(({ data }) => {
    if (isSnapshot(data)) {
      picture.stocks = readStocks(data.stocks);
      picture.events.clear();
      picture.meta = data.meta;
      for (const [id, event] of Object.entries(data.fx.data)) {
        picture.events.set(id, applyEventPatch(id, undefined, event));
      }
    } else if (isDelta(data)) {
      picture.stocks = applyDelta(picture.stocks, data);
      picture.meta = { ...picture.meta, ...data.meta };
      for (const [id, patch] of Object.entries(data.fx.upsert)) {
        picture.events.set(id, applyEventPatch(id, picture.events.get(id), patch));
      }
      for (const id of data.fx.delete) picture.events.delete(id);
    }
  });
  const decoder = new TextDecoder();
  const run = async (): Promise<void> => {
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      read(decoder.decode(piece.value, { stream: true }));
    }
  };
  const running = run();
  return async () => {
    await reader?.cancel();
    await running;
  };
}

/**
 * An application with the exchange's announcements and FXStreet's calendar, both from local servers, and a reader of its
 * stream: everything on one clock that is turned by hand.
 */
export async function openProvidedApp(
  now: number,
  prepare: (servers: { asx: FakeAsx; fxstreet: FakeFxStreet }) => void,
): Promise<ProvidedApp> {
  const hand = createHandScheduler(now);
  const clock = { ...hand, set: () => undefined };
  const asx = startFakeAsx({ now: hand.now });
  const fxstreet = startFakeFxStreet({ now: hand.now });
  prepare({ asx, fxstreet });
  const common = {
    ...{ wall: hand, log: createLog(() => undefined), schedule: hand.schedule, random: () => 0.5 },
    http: createHttpClient({ clock: hand, schedule: hand.schedule }),
  };
  const announcements = new AsxAnnouncements({ ...common, url: asx.url });
  const calendar = new FxStreet({ ...common, url: fxstreet.url, forexFactoryUrl: fxstreet.url });
  const app = createTestApp({ clock, source: { announcements }, runtime: { calendar } });
  const polls = createPollPasser(hand, [announcements, calendar], async () => {
    app.tick.run();
    await Bun.sleep(0);
  });
  app.parts.announcements.start();
  await app.parts.calendar.start();
  await polls.settled();
  const picture: Picture = { stocks: new Map(), events: new Map(), meta: {} };
  const leave = await follow(await app.open('GET', '/api/data/stream'), picture);
  let marks = 0;
  /** Waits until the reader has read everything so far: what comes with the last tick is a stock of its own. */
  const caughtUp = async (): Promise<void> => {
    marks += 1;
    const name = `Mark ${marks}`;
    app.source.give([{ code: MARK, name, last: 1, close: 1 }]);
    app.tick.run();
    await waitUntil('the reader of the stream', () => picture.stocks.get(MARK)?.name === name);
  };
  return {
    ...{ ...app, asx, fxstreet, picture },
    list(...codes) {
      app.source.give(codes.map((code) => ({ code, name: code, last: 1, close: 1 })));
      app.tick.run();
    },
    async pass(ms) {
      await polls.pass(ms);
      await polls.settled();
      await caughtUp();
    },
    async end() {
      await leave();
      await app.parts.announcements.stop();
      await app.parts.calendar.stop();
      app.close();
      await asx.stop();
      await fxstreet.stop();
    },
  };
}
