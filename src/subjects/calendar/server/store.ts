import { and, eq, ne, sql } from 'drizzle-orm';
import { calendarEvents } from '#platform/db/calendarSchema.ts';
import type { Db } from '#platform/db/open.ts';
import { type CalendarEvent, emptyEvent, readStoredEvent } from '../rules/calendarEvent.ts';
import { timeOf } from '../rules/days.ts';
import { isRecord } from '#lib/json.ts';
import { lazy } from '#lib/lazy.ts';

/** An event as another version may have written it; null for what is none. */
function readEvent(id: string, value: unknown): CalendarEvent | null {
  if (!isRecord(value)) return null;
  const empty = emptyEvent(id);
  const forms = new Map<string, unknown>(Object.entries(empty));
  const known = Object.entries(value).filter(([name, member]) => {
    const form = forms.get(name);
    return form === null || typeof form === typeof member;
  });
  return readStoredEvent({ ...empty, ...Object.fromEntries(known), id });
}

/** Adds or changes an event. */
const prepareUpsert = (db: Db, source: string) =>
  db
    .insert(calendarEvents)
    .values({
      source,
      id: sql.placeholder('id'),
      time: sql.placeholder('time'),
      event: sql.placeholder('event'),
    })
    .onConflictDoUpdate({
      target: [calendarEvents.source, calendarEvents.id],
      set: { time: sql`excluded.time`, event: sql`excluded.event` },
    })
    .prepare();

/** SQL of the events of one source. @param source its name */
export function calendarStore(db: Db, source: string) {
  const isOwn = eq(calendarEvents.source, source);
  const upsert = lazy(() => prepareUpsert(db, source));
  const ofId = and(isOwn, eq(calendarEvents.id, sql.placeholder('id')));
  const remove = lazy(() => db.delete(calendarEvents).where(ofId).prepare());

  return {
    load: (): CalendarEvent[] =>
      db
        .select({ id: calendarEvents.id, event: calendarEvents.event })
        .from(calendarEvents)
        .where(isOwn)
        .all()
        .flatMap(({ id, event }) => readEvent(id, event) ?? []),

    /** Writes these events in one transaction: those that are not in `all` are removed. */
    save: (ids: readonly string[], all: ReadonlyMap<string, CalendarEvent>): void =>
      db.transaction(
        () => {
          for (const id of ids) {
            const event = all.get(id);
            if (event) upsert().run({ id, time: timeOf(event) ?? 0, event });
            else remove().run({ id });
          }
        },
        { behavior: 'immediate' },
      ),

    /** Removes the events of sources that ran before. */
    removeOthers: (): void => {
      db.delete(calendarEvents).where(ne(calendarEvents.source, source)).run();
    },
  };
}
