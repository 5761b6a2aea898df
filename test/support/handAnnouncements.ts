import type { Clock } from '#lib/clock.ts';
import type {
  AnnouncementSink,
  AnnouncementSource,
  ProviderHealth,
  Release,
} from '#market/sources/announcements.ts';

export type HandAnnouncements = AnnouncementSource & {
  /** Sends releases to the server. */
  apply(releases: readonly Release[]): ReturnType<AnnouncementSink['apply']>;
  withdraw(ids: readonly string[]): void;
  knows(id: string): boolean;
  setHealth(health: Partial<ProviderHealth>): void;
  /** Codes that it was asked to refresh. */
  asked: string[];
};

type Traits = {
  name?: string;
  clock?: Clock;
  /** The result of refreshing one stock. */
  answer?: () => Promise<string | null>;
};

/** A source of announcements controlled by the test. */
export function createHandAnnouncements({ name = 'hand', clock, answer }: Traits = {}): HandAnnouncements {
  let into: AnnouncementSink | null = null;
  let health: ProviderHealth = { healthy: true, problem: null, lastSuccess: null };
  const asked: string[] = [];
  const sink = (): AnnouncementSink => {
    if (into === null) throw new Error('The source was not started.');
    return into;
  };
  return {
    name,
    ...(clock && { clock }),
    label: () => 'By hand',
    start: async (given) => void (into = given),
    stop: async () => void (into = null),
    health: () => health,
    refresh: async (code) => {
      asked.push(code);
      return answer ? answer() : null;
    },
    apply: (releases) => sink().apply(releases),
    withdraw: (ids) => sink().withdraw(ids),
    knows: (id) => sink().knows(id),
    setHealth: (change) => void (health = { ...health, ...change }),
    asked,
  };
}

/** A release of BHP, by default on Wednesday 18 November 2026 at 10:30 in Sydney. */
export const aRelease = (id: string, change: Partial<Release> = {}): Release => ({
  id,
  code: 'BHP',
  headline: `Headline of ${id}`,
  url: `https://example.test/${id}`,
  document: `https://example.test/${id}`,
  announcementTypes: ['Progress Report'],
  isPriceSensitive: false,
  time: Date.UTC(2026, 10, 17, 23, 30),
  ...change,
});
