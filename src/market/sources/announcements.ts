import type { Announcement } from '#market/rules/stock.ts';
import type { Clock } from '#lib/clock.ts';

export type MissingField = { name: string; since: number };

export type Release = Omit<Announcement, 'time'> & {
  /** Unique and stable: the provider's key of the document. */
  id: string;
  code: string;
  time: number;
  /** Where the server downloads the document; null if there is none. */
  document: string | null;
};

export type AnnouncementSink = {
  /**
   * Stores new announcements and corrections. All pages up to a known announcement are one batch. It is
   * written oldest first, so that an interruption leaves no gap.
   * @returns the written new and changed ones; complete for up to 100 releases
   */
  apply(releases: readonly Release[]): { added: number; changed: number };
  withdraw(ids: readonly string[]): void;
  knows(id: string): boolean;
  /** Stored announcements released since then, epoch ms, to find withdrawn ones. */
  keptSince(time: number): readonly Pick<Release, 'id' | 'time'>[];
};

export type ProviderHealth = {
  healthy: boolean;
  /** A sentence for the trader; null while healthy. */
  problem: string | null;
  lastSuccess: number | null;
};

export type AnnouncementSource = {
  /** Logged, and stored with each announcement, so that simulated ones never appear in a real market. */
  readonly name: string;
  label(): string;
  /** The clock of its times; the wall clock if absent. */
  readonly clock?: Clock;
  start(sink: AnnouncementSink): Promise<void>;
  stop(): Promise<void>;
  health(): ProviderHealth;
  /** Fields that most of its rows lack, the longest missing first; absent if not tracked. */
  missing?(): readonly MissingField[];
  /**
   * Loads the announcements of a stock into the sink. Absent if that is impossible.
   * @returns a sentence with the failure; null after a success
   */
  refresh?(code: string): Promise<string | null>;
  readonly details?: () => unknown;
};
