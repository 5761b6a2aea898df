import { createHttpClient } from '#lib/httpClient/client.ts';
import { createLog } from '#lib/log.ts';
import { AsxAnnouncements } from '#sources/announcements/asx/index.ts';
import { createRecordingSink } from './announcementSink.ts';
import { type AsxItem, startFakeAsx } from './fakeAsx.ts';
import { createHandScheduler } from './handScheduler.ts';
import { createPollPasser } from './passPolls.ts';

let made = 0;

/** An announcement for these tests, with its own document key. */
export function anItem(date: string, more: Partial<AsxItem> = {}): AsxItem {
  made += 1;
  return {
    symbol: 'BHP',
    headline: `Headline ${made}`,
    date,
    documentKey: `2924-${String(made).padStart(8, '0')}-6A${made}`,
    isPriceSensitive: false,
    announcementTypes: ['Progress Report'],
    url: '',
    ...more,
  };
}

/** The exchange’s server and the source that reads it, on one manual clock. */
export function createAsxFixture(options: { now: number; items: readonly AsxItem[] }) {
  const hand = createHandScheduler(options.now);
  // The exchange has its own clock, because ours may be set.
  const now = (): number => options.now + hand.monotonic();
  const fake = startFakeAsx({ items: options.items, now });
  const sink = createRecordingSink();
  const source = new AsxAnnouncements({
    url: fake.url,
    wall: hand,
    log: createLog(() => undefined),
    http: createHttpClient({ clock: hand, schedule: hand.schedule }),
    schedule: hand.schedule,
    random: () => 0.5,
  });
  return {
    hand,
    fake,
    sink,
    source,
    ...createPollPasser(hand, source, () => sink),
    async stop(): Promise<void> {
      fake.setFault({ kind: 'none' });
      await source.stop();
      await fake.stop();
    },
  };
}

export type AsxFixture = ReturnType<typeof createAsxFixture>;
