import { type CalendarEvent, wireEvent } from '../rules/calendarEvent.ts';
import type { Delta, EventPatch, Snapshot } from '#market/rules/stream.ts';
import type { Clock } from '#lib/clock.ts';
import { diffPatch } from '#lib/mergePatch.ts';

/** At most: to find, encode and compress their changes takes about a millisecond. */
const EVENTS_A_TICK = 100;

/** What the stream's clients know of the events, and what they don't know yet. */
export class EventChanges {
  readonly #told = new Map<string, EventPatch>();
  readonly #noted = new Set<string>();
  #lastUpdated: number | null = null;
  /** Some changes were told, and others that came with them were not. */
  #isPartlyTold = false;
  #known: Snapshot['fx'] | null = null;

  /** @param wall dates the changes */
  constructor(
    private readonly all: ReadonlyMap<string, CalendarEvent>,
    private readonly wall: Clock,
  ) {}

  get waiting(): number {
    return this.#noted.size;
  }

  /** Takes note that an event came, changed or went. */
  note(id: string): void {
    this.#noted.add(id);
  }

  /**
   * Takes all events as told, before anybody was: after a restart anyone who joins first gets them with the snapshot. Does
   * nothing once a snapshot was given.
   */
  begin(): void {
    if (this.#known !== null || this.all.size === 0) return;
    for (const [id, event] of this.all) this.#told.set(id, wireEvent(event));
    this.#noted.clear();
    this.#lastUpdated = this.wall.now();
  }

  /**
   * What clients were told so far, so that later changes lead on from it. The same object until that changes. Without
   * `lastUpdated` while some of it still waits, so that nobody takes some for all.
   */
  snapshot(): Snapshot['fx'] {
    return (this.#known ??= { data: Object.fromEntries(this.#told), lastUpdated: this.#lastUpdated });
  }

  /**
   * The next changes to be told, as smallest patches, new events whole; null when there are none. To be called once a
   * tick. The last of those that waited bring `lastUpdated`.
   */
  take(): Delta['fx'] | null {
    const upsert: Record<string, EventPatch> = {};
    const gone: string[] = [];
    let count = 0;
    for (const id of this.#noted) {
      if (count === EVENTS_A_TICK) break;
      this.#noted.delete(id);
      const change = this.#changeOf(id);
      if (change === undefined) continue;
      count += 1;
      if (change === null) gone.push(id);
      else upsert[id] = change;
    }
    if (count === 0 && !this.#isPartlyTold) return null;
    this.#isPartlyTold = this.#noted.size > 0;
    this.#lastUpdated = this.#isPartlyTold ? null : this.wall.now();
    this.#known = null;
    return { upsert, delete: gone, lastUpdated: this.#lastUpdated };
  }

  /** What is to be said of an event: a patch, null when it is gone, undefined for nothing. */
  #changeOf(id: string): EventPatch | null | undefined {
    const event = this.all.get(id);
    const before = this.#told.get(id);
    if (!event) return this.#told.delete(id) ? null : undefined;
    const after = wireEvent(event);
    this.#told.set(id, after);
    // A new one comes with its nulls, which a merge patch would not say.
    return before === undefined ? after : (diffPatch(before, after) as EventPatch | undefined);
  }
}
