import { fromSydney } from '#market/rules/sydneyTime.ts';
import type { KeptAnnouncement, KeptSummary } from '../rules/stockNews.ts';
import type { AnnouncementStore } from './store.ts';

/**
 * The announcements since the previous trading day, by stock: what the Market shows is made of them, also for stocks that
 * are not listed yet.
 */
export class Recent {
  readonly #byCode = new Map<string, Map<string, KeptAnnouncement>>();
  readonly #codeOf = new Map<string, string>();
  #first = '';
  /** What became of their summaries, by the id of the announcement. */
  readonly summaries = new Map<string, KeptSummary>();

  constructor(private readonly store: AnnouncementStore) {}

  get size(): number {
    return this.#codeOf.size;
  }

  /** Replaces everything by what is stored since a date, YYYY-MM-DD. */
  load(since: string): void {
    this.#byCode.clear();
    this.#codeOf.clear();
    this.#first = since;
    for (const announcement of this.store.since(fromSydney(since, 0, 0))) this.put(announcement);
    this.summaries.clear();
    for (const [id, summary] of this.store.summariesSince(since)) this.summaries.set(id, summary);
  }

  /** Takes a new announcement or a correction; one of before the first date is dropped. */
  put(announcement: KeptAnnouncement): void {
    const { id, code, date } = announcement;
    this.drop(id);
    if (date < this.#first) return;
    const ofCode = this.#byCode.get(code) ?? new Map<string, KeptAnnouncement>();
    ofCode.set(id, announcement);
    this.#byCode.set(code, ofCode);
    this.#codeOf.set(id, code);
  }

  drop(id: string): void {
    const code = this.#codeOf.get(id);
    if (code === undefined) return;
    const ofCode = this.#byCode.get(code);
    ofCode?.delete(id);
    if (ofCode?.size === 0) this.#byCode.delete(code);
    this.#codeOf.delete(id);
  }

  has(id: string): boolean {
    return this.#codeOf.has(id);
  }

  of(code: string): readonly KeptAnnouncement[] {
    return [...(this.#byCode.get(code)?.values() ?? [])];
  }

  *all(): Iterable<KeptAnnouncement> {
    for (const ofCode of this.#byCode.values()) yield* ofCode.values();
  }

  codes(): Iterable<string> {
    return this.#byCode.keys();
  }
}
