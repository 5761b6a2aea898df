import { HOUR_MS, MINUTE_MS } from '#lib/units.ts';
import { addDays } from '#lib/sydneyTime.ts';
import { type FactStore, factStore } from '#platform/db/facts.ts';
import type { App } from '#platform/app.ts';
import { isNowhere } from '#subjects/alerts/rules/recipient.ts';
import {
  announcedOf,
  type ComparedNews,
  comparedNews,
  matchesNews,
  ReportedNews,
} from '#subjects/alerts/rules/scanAlerts/watchedNews.ts';
import type { Announced } from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { KeptAnnouncement } from '#subjects/announcements/rules/stockNews.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { ScanEngineStore } from './store.ts';
import type { Entry } from './types.ts';

/** A provider may list an announcement this long after its release; ms. */
const LATE_MS = 2 * MINUTE_MS;
/** Announcements that are older than this when the server returns are not reported; ms. */
const MISSED_MS = 12 * HOUR_MS;
/** Sessions whose reported announcements are remembered, in calendar days. */
const REMEMBERED_DAYS = 5;
/** Announcements per tick. Each is compared with the alerts of all users. */
const MAX_A_TICK = 50;
const REACHED_KEY = 'announcement_alerts_reached';

/** Reports announcements to alerts on them: each one once per user, also after a restart. */
export class NewsWatch {
  private readonly byUser = new Map<number, Set<Entry>>();
  /** Release time of the first announcement that an alert reports, epoch ms by the clock of the announcements. */
  private readonly since = new WeakMap<Entry, number>();
  private readonly reported = new Map<number, ReportedNews>();
  private readonly pending = new Map<string, KeptAnnouncement>();
  private readonly facts: FactStore;
  /** True until the first tick, because announcements are loaded after alerts. */
  private isResuming = false;

  constructor(
    private readonly app: App,
    private readonly store: ScanEngineStore,
    private readonly dispatcher: Dispatcher,
  ) {
    this.facts = factStore(app.db);
  }

  /** Begins to report announcements to an alert; what was released earlier is not reported. */
  put(entry: Entry): void {
    const { userId } = entry.alert;
    const own = this.byUser.get(userId) ?? new Set();
    this.byUser.set(userId, own.add(entry));
    if (!this.isResuming) this.beginNow(entry);
  }

  /** Reports only what is released from now on, because the alert watches something else than before. */
  beginNow(entry: Entry): void {
    this.since.set(entry, this.app.announcements.now() - LATE_MS);
    this.saveReached();
  }

  remove(entry: Entry): void {
    const own = this.byUser.get(entry.alert.userId);
    own?.delete(entry);
    if (own?.size === 0) this.byUser.delete(entry.alert.userId);
  }

  shown(announcement: KeptAnnouncement): void {
    if (this.byUser.size > 0 && !this.isResuming) this.pending.set(announcement.id, announcement);
  }

  withdrawn(id: string): void {
    this.pending.delete(id);
    if (this.byUser.size > 0) this.dispatcher.withdraw(id);
  }

  /** Activates the alerts of an earlier run. @param activate puts them */
  resume(activate: () => void): void {
    this.isResuming = true;
    activate();
    this.isResuming = this.byUser.size > 0;
  }

  /** Passes released announcements to the dispatcher; call it at every tick. */
  begin(): void {
    if (this.isResuming) this.takeMissed();
    let room = MAX_A_TICK;
    for (const [id, announcement] of this.pending) {
      if (!this.app.announcements.isShown(announcement)) continue;
      if (room === 0) break;
      room -= 1;
      this.pending.delete(id);
      this.compare(comparedNews(announcement));
    }
  }

  /** Forgets everything after a jump of the replay, whose announcements are released again. */
  jump(): void {
    this.pending.clear();
    this.reported.clear();
    for (const own of this.byUser.values()) for (const entry of own) this.beginNow(entry);
  }

  /** Forgets what earlier sessions reported. */
  nextSession(): void {
    this.reported.clear();
    this.recall();
  }

  /**
   * Saves up to when announcements were reported, so that a later start continues there.
   * @param isWritten whether all triggers up to now are on disk
   */
  saveReached(isWritten = this.dispatcher.count === 0): void {
    const { announcements, source } = this.app;
    // A replay starts again with each run.
    if (!isWritten || this.byUser.size === 0 || this.isResuming || source.replay !== undefined) return;
    const due = [...this.pending.values()]
      .filter((one) => announcements.isShown(one))
      .map(({ time }) => time);
    this.facts.write(REACHED_KEY, {
      source: announcements.source,
      at: Math.min(announcements.now(), ...due),
    });
  }

  private takeMissed(): void {
    this.isResuming = false;
    if (this.byUser.size === 0) return;
    const { announcements } = this.app;
    const now = announcements.now();
    const from = this.reachedOr(now) - LATE_MS;
    for (const own of this.byUser.values()) for (const entry of own) this.since.set(entry, from);
    this.recall();
    announcements.placement.days();
    for (const one of announcements.recent()) if (one.time >= from) this.pending.set(one.id, one);
    this.saveReached();
  }

  private recall(): void {
    const { market, source } = this.app;
    const first = addDays(market.date(), -REMEMBERED_DAYS);
    for (const { userId, announcements } of this.store.announcedSince(first, source.name)) {
      for (const one of announcements ?? []) this.remember(userId, one);
    }
  }

  private reachedOr(now: number): number {
    const saved = this.facts.read(REACHED_KEY) as { source?: unknown; at?: unknown } | null;
    const { source, at } = saved ?? {};
    // A clock that was set back must not report a day again.
    if (source !== this.app.announcements.source || typeof at !== 'number' || at > now) return now;
    return Math.max(at, now - MISSED_MS);
  }

  private compare(compared: ComparedNews): void {
    const { news } = compared;
    for (const [userId, own] of this.byUser) {
      if (this.reported.get(userId)?.has(news)) continue;
      const entry = this.bestOf(own, compared);
      if (entry === null) continue;
      this.remember(userId, news);
      this.dispatcher.moved({
        entries: [entry],
        event: 'enters',
        code: news.code,
        stock: this.app.market.get(news.code) ?? null,
        seen: [],
        announced: announcedOf(news),
      });
    }
  }

  /** The alert of a user that reports an announcement: the one that reaches the user best, then the oldest. */
  private bestOf(own: Iterable<Entry>, compared: ComparedNews): Entry | null {
    const now = this.app.clock.now();
    const rank = ({ alert }: Entry): number =>
      ((alert.snoozedUntil ?? 0) > now ? 4 : 0) +
      (isNowhere(alert.destinations) ? 2 : 0) +
      (alert.urgent ? 0 : 1);
    let best: Entry | null = null;
    for (const entry of own) {
      if (!this.isMeant(entry, compared)) continue;
      if (best === null || rank(entry) < rank(best)) best = entry;
    }
    return best;
  }

  private isMeant(entry: Entry, compared: ComparedNews): boolean {
    const { scan } = entry.alert;
    if (scan.type !== 'announcements' || compared.news.time < (this.since.get(entry) ?? 0)) return false;
    return matchesNews(scan, compared) && this.dispatcher.isWanted(entry, compared.news.code);
  }

  private remember(userId: number, news: Announced): void {
    const known = this.reported.get(userId) ?? new ReportedNews();
    this.reported.set(userId, known);
    known.add(news);
  }
}
