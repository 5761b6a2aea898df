import type { Announcement } from '#market/rules/stock.ts';
import type { Clock } from '#lib/clock.ts';
import type { MissingField } from '../answerForm.ts';

/** An announcement as a source tells it. */
export type Release = Omit<Announcement, 'time'> & {
  /** The same for as long as the announcement exists, and no other's: the provider's key of the document. */
  id: string;
  /** Upper case. It may belong to no listed stock (yet). */
  code: string;
  /** When it was released, epoch ms. */
  time: number;
  /** Where the document can be fetched by the server; null where there is none. */
  document: string | null;
};

/** Where a source puts what it learns. Each call is one synchronous step. */
export type AnnouncementSink = {
  /**
   * Takes new announcements and corrections of known ones. What is paged until a known one is given as one batch, so that
   * a stop in its middle leaves no gap behind known ones: a large batch is written in pieces, the oldest first.
   * @returns what of it was new and different, as far as it is written at once: of up to 100 releases everything
   */
  apply(releases: readonly Release[]): { added: number; changed: number };
  /** Takes back announcements that the exchange withdrew. */
  withdraw(ids: readonly string[]): void;
  /** Whether an announcement is kept already, so that paging through a list can end. */
  knows(id: string): boolean;
  /** What is kept that was released since then, epoch ms: what the exchange withdrew meanwhile is found by it. */
  keptSince(time: number): readonly Pick<Release, 'id' | 'time'>[];
};

/** State of a source whose prices or texts come from elsewhere. */
export type ProviderHealth = {
  healthy: boolean;
  /** A sentence for the trader; null while healthy. */
  problem: string | null;
  /** Epoch ms, wall clock, of the last good answer; null before the first. */
  lastSuccess: number | null;
};

/** Where company announcements come from; one is as good as another for everything downstream. */
export type AnnouncementSource = {
  /** Logged, and kept with each announcement: simulated ones never show in a real market. */
  readonly name: string;
  /** Shown: 'Simulated', 'ASX'. */
  label(): string;
  /** The clock that its times are of; the wall clock where it is absent. */
  readonly clock?: Clock;
  start(sink: AnnouncementSink): Promise<void>;
  stop(): Promise<void>;
  health(): ProviderHealth;
  /** What most of its rows lack, the longest first; absent where nobody follows that. */
  missing?(): readonly MissingField[];
  /**
   * Looks for announcements of one stock now; what it finds goes to the sink. Absent where nothing can be asked.
   * @returns a sentence saying why it could not, null when it could
   */
  refresh?(code: string): Promise<string | null>;
  /** What only this source can tell of itself, for anyone who looks into the running server; no secrets. */
  readonly details?: () => unknown;
};
