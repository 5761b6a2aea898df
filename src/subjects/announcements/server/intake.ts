import { type KeptAnnouncement, keptAnnouncement } from '../rules/stockNews.ts';
import type { Log } from '#lib/log.ts';
import type { Scheduler } from '#lib/scheduler.ts';
import type { AnnouncementSink, Release } from '#market/sources/announcements.ts';
import type { Recent } from './placement.ts';
import type { AnnouncementStore } from './store.ts';

/** Releases per transaction, which takes about 5 ms. */
const AT_ONCE = 100;
/**
 * How long single announcements wait for others before they are written, to save SD cards: one costs about 15 pages,
 * fifty cost about ten more. They are shown immediately, and reads write them first. After a crash the source sends
 * them again. Price-sensitive ones are noted on disk before alerts read them, because an alert would otherwise fire
 * again.
 */
const HOLD_MS = 2 * 3_600_000;
/** Limit of waiting announcements; writing them together takes about 10 ms. */
const MAX_HELD = 200;
/** Larger batches are from a starting source and are written immediately. */
const FEW = 20;

/** Follows announcements. New and corrected ones may not be on disk yet, and may be dated ahead. */
export type NewsListener = {
  shown(announcement: KeptAnnouncement): void;
  withdrawn(id: string): void;
};

type IntakeDeps = {
  store: AnnouncementStore;
  recent: Recent;
  /** Called with the stock of an announcement that changed; `isUrgent` if it is price-sensitive. */
  touch(code: string, isUrgent?: boolean): void;
  listener?: NewsListener;
  now(): number;
  log: Log;
  later(run: () => void): void;
  /** If omitted, announcements are written immediately. */
  schedule?: Scheduler;
};

type Counts = { added: number; changed: number };

const isSensitive = ({ isPriceSensitive }: KeptAnnouncement): boolean => isPriceSensitive;

/** New announcements that are shown but not in their table yet. Starts with those that an earlier run noted on disk. */
class Held {
  readonly #held: Map<string, KeptAnnouncement>;
  #cancel: (() => void) | null = null;
  #isUnnoted = false;

  constructor(private readonly deps: IntakeDeps) {
    this.#held = new Map(deps.store.noted().map((announcement) => [announcement.id, announcement]));
  }

  has(id: string): boolean {
    return this.#held.has(id);
  }

  hasRoomFor(count: number): boolean {
    return this.deps.schedule !== undefined && count <= FEW && this.#held.size + count <= MAX_HELD;
  }

  add(announcements: readonly KeptAnnouncement[]): void {
    for (const announcement of announcements) this.#held.set(announcement.id, announcement);
    this.#isUnnoted ||= announcements.some(isSensitive);
    this.#writeLater();
  }

  /** Notes new price-sensitive announcements on disk. @throws database errors */
  note(): void {
    if (!this.#isUnnoted) return;
    this.deps.store.noteHeld([...this.#held.values()].filter(isSensitive));
    this.#isUnnoted = false;
  }

  /** Writes waiting announcements; after a failure they keep waiting. */
  settle(): void {
    this.stopWaiting();
    if (this.#held.size === 0) return;
    try {
      this.deps.store.saveHeld([...this.#held.values()]);
      this.#held.clear();
      this.#isUnnoted = false;
    } catch (error) {
      this.deps.log.error('Could not save announcements; trying again', {
        error,
      });
      this.#writeLater();
    }
  }

  stopWaiting(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #writeLater(): void {
    this.#cancel ??= this.deps.schedule?.(HOLD_MS, () => this.settle()) ?? null;
  }
}

export class Intake implements AnnouncementSink {
  /** The rest of large batches, by id, oldest first. */
  #queue = new Map<string, Release>();
  readonly #held: Held;
  #isRunning = false;
  #refused = 0;

  constructor(private readonly deps: IntakeDeps) {
    this.#held = new Held(deps);
  }

  /** Number of releases since the start that could not be stored. */
  get refused(): number {
    return this.#refused;
  }

  apply(releases: readonly Release[]): Counts {
    const shown = this.#showOnly(releases);
    if (shown) return shown;
    this.settle();
    for (const release of releases) this.#queue.set(release.id, release);
    if (this.#queue.size > AT_ONCE) {
      this.#queue = new Map([...this.#queue].sort(([, a], [, b]) => a.time - b.time));
    }
    const written = this.#writeNext();
    this.#goOn();
    return written;
  }

  withdraw(ids: readonly string[]): void {
    this.settle();
    for (const id of ids) {
      this.#queue.delete(id);
      this.deps.listener?.withdrawn(id);
    }
    for (const { id, code } of this.deps.store.remove(ids)) {
      this.deps.recent.drop(id);
      this.deps.touch(code);
    }
  }

  knows(id: string): boolean {
    return this.#queue.has(id) || this.#isKept(id);
  }

  keptSince(time: number): { id: string; time: number }[] {
    this.settle();
    return this.deps.store.since(time).map((kept) => ({ id: kept.id, time: kept.time }));
  }

  /** Writes waiting announcements; call it before reading stored ones. */
  settle(): void {
    this.#held.settle();
  }

  /** Notes new price-sensitive announcements on disk, before anything follows from them. @throws database errors */
  note(): void {
    this.#held.note();
  }

  finish(): void {
    this.settle();
    this.#held.stopWaiting();
    while (this.#queue.size > 0) this.#writeNext();
  }

  #isKept(id: string): boolean {
    return this.#held.has(id) || this.deps.store.find(id) !== null;
  }

  /** Shows a few new announcements without writing them. @returns null if that is not possible */
  #showOnly(releases: readonly Release[]): Counts | null {
    if (this.#queue.size > 0 || !this.#held.hasRoomFor(releases.length)) return null;
    if (releases.some(({ id }) => this.#isKept(id))) return null;
    const kept = this.#tidied(releases);
    if (new Set(kept.map(({ id }) => id)).size < kept.length) return null;
    this.#held.add(kept);
    for (const announcement of kept) this.#show(announcement);
    return { added: kept.length, changed: 0 };
  }

  /** Writes the oldest part of the queue. A failure drops the rest, because the source sends it again. */
  #writeNext(): Counts {
    const next = [...this.#queue.values()].slice(0, AT_ONCE);
    try {
      for (const { id } of next) this.#queue.delete(id);
      return this.#write(next);
    } catch (error) {
      this.#queue.clear();
      throw error;
    }
  }

  #write(releases: readonly Release[]): Counts {
    const { store, recent, touch } = this.deps;
    const kept = this.#tidied(releases);
    let added = 0;
    const written = store.save(kept);
    for (const { before, after } of written) {
      if (before === null) added += 1;
      else if (before.code !== after.code) touch(before.code);
    }
    const isNew = new Set(written.map(({ after }) => after.id));
    for (const announcement of kept) {
      if (isNew.has(announcement.id) || !recent.has(announcement.id)) this.#show(announcement);
    }
    return { added, changed: written.length - added };
  }

  #show(announcement: KeptAnnouncement): void {
    this.deps.recent.put(announcement);
    this.deps.listener?.shown(announcement);
    this.deps.touch(announcement.code, announcement.isPriceSensitive);
  }

  #tidied(releases: readonly Release[]): KeptAnnouncement[] {
    const time = this.deps.now();
    return releases.flatMap((release) => {
      const kept = keptAnnouncement(release, time);
      if (kept) return [kept];
      const { id, code } = release;
      if (this.#refused === 0) this.deps.log.warn('Could not keep an announcement', { id, code });
      this.#refused += 1;
      return [];
    });
  }

  #goOn(): void {
    if (this.#isRunning || this.#queue.size === 0) return;
    this.#isRunning = true;
    this.deps.later(() => this.#run());
  }

  #run(): void {
    this.#isRunning = false;
    try {
      if (this.#queue.size > 0) this.#writeNext();
    } catch (error) {
      this.deps.log.error('Could not save announcements', { error });
    }
    this.#goOn();
  }
}
