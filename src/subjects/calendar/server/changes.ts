import type { CalendarEvent } from '../rules/calendarEvent.ts';
import type { Delta, EventPatch, Snapshot } from '../../../market/rules/stream.ts';
import type { Clock } from '../../../lib/clock.ts';
import { diffPatch } from '../../../lib/mergePatch.ts';
import { wireEvent } from './wire.ts';

/** So many events a tick at most: finding, encoding and compressing their changes takes about a millisecond. */
const EVENTS_A_TICK = 100;

/** What the stream's clients know of the events, and what they don't know yet. */
export type Changes = {
  /** Takes note that an event came, changed or went. */
  note(id: string): void;
  /**
   * Takes all events as told, before anybody was: after a restart whoever joins first gets them with the snapshot. Does
   * nothing once a snapshot was given.
   */
  begin(): void;
  /**
   * What clients were told so far, so that later changes lead on from it. The same object until that changes. Without
   * `lastUpdated` while some of it still waits, so that nobody takes some for all.
   */
  snapshot(): Snapshot['fx'];
  /**
   * The next changes to be told, as smallest patches, new events whole; null when there are none. To be called once a tick. The last of
   * those that waited bring `lastUpdated`.
   */
  take(): Delta['fx'] | null;
  waiting(): number;
};

/** @param wall dates the changes */
export function createChanges(all: ReadonlyMap<string, CalendarEvent>, wall: Clock): Changes {
  const told = new Map<string, EventPatch>();
  const noted = new Set<string>();
  let lastUpdated: number | null = null;
  /** Some changes were told, and others that came with them were not. */
  let isPartlyTold = false;
  let known: Snapshot['fx'] | null = null;

  /** What is to be said of an event: a patch, null when it is gone, undefined for nothing. */
  function changeOf(id: string): EventPatch | null | undefined {
    const event = all.get(id);
    const before = told.get(id);
    if (!event) return told.delete(id) ? null : undefined;
    const after = wireEvent(event);
    told.set(id, after);
    // A new one comes with its nulls, which a merge patch would not say.
    return before === undefined ? after : (diffPatch(before, after) as EventPatch | undefined);
  }

  return {
    note: (id) => void noted.add(id),
    begin() {
      if (known !== null || all.size === 0) return;
      for (const [id, event] of all) told.set(id, wireEvent(event));
      noted.clear();
      lastUpdated = wall.now();
    },
    snapshot: () => (known ??= { data: Object.fromEntries(told), lastUpdated }),
    take() {
      const upsert: Record<string, EventPatch> = {};
      const gone: string[] = [];
      let count = 0;
      for (const id of noted) {
        if (count === EVENTS_A_TICK) break;
        noted.delete(id);
        const change = changeOf(id);
        if (change === undefined) continue;
        count += 1;
        if (change === null) gone.push(id);
        else upsert[id] = change;
      }
      if (count === 0 && !isPartlyTold) return null;
      isPartlyTold = noted.size > 0;
      lastUpdated = isPartlyTold ? null : wall.now();
      known = null;
      return { upsert, delete: gone, lastUpdated };
    },
    waiting: () => noted.size,
  };
}
