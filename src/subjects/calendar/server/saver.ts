import type { CalendarEvent } from '../rules/calendarEvent.ts';
import type { Log } from '../../../lib/log.ts';
import type { CalendarStore } from './store.ts';

/** So many a tick at most, which take about a millisecond and what the disk takes. */
const EVENTS_A_TICK = 100;

/** Writes changed events to the database, behind those who wait for them. */
export type Saver = {
  note(id: string): void;
  /** Forgets what it took note of: the database has it. */
  forget(): void;
  /** Writes some of what waits; to be called at every tick. */
  save(): void;
  saveAll(): void;
};

export function createSaver(
  store: Pick<CalendarStore, 'save'>,
  all: ReadonlyMap<string, CalendarEvent>,
  log: Log,
): Saver {
  const noted = new Set<string>();
  let isFailing = false;

  /** What could not be written waits on. */
  function save(most: number): void {
    if (noted.size === 0) return;
    const ids = [...noted].slice(0, most);
    try {
      store.save(ids, all);
      for (const id of ids) noted.delete(id);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.error('Events of the calendar could not be written; trying again', { error });
      isFailing = true;
    }
  }

  return {
    note: (id) => void noted.add(id),
    forget: () => noted.clear(),
    save: () => save(EVENTS_A_TICK),
    saveAll: () => save(Number.POSITIVE_INFINITY),
  };
}
