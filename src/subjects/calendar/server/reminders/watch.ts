import type { CalendarEvent } from '../../rules/calendarEvent.ts';
import { beforeMessage, figureMessage, type ReminderContext } from '../../rules/reminderMessage.ts';
import { type BeforeDue, beforeDue } from '../../rules/reminders.ts';
import type { ChatPlatform } from '../../../chats/rules/chatPlatform.ts';
import type { Clock } from '../../../../lib/clock.ts';
import type { Log } from '../../../../lib/log.ts';
import type { Scheduler } from '../../../../lib/scheduler.ts';
import type { OutboxService } from '../../../../platform/outbox/index.ts';
import type { ReminderStore } from './store.ts';

/** So many people are told in one transaction, which takes a few milliseconds; the others follow at once. */
const PEOPLE_AT_ONCE = 50;

export type ReminderWatchDeps = {
  store: ReminderStore;
  events: ReadonlyMap<string, CalendarEvent>;
  /** By which the events happen. */
  clock: Clock;
  log: Log;
  label(): string;
  publicUrl: string | null;
  outbox: Pick<OutboxService, 'add' | 'wake'>;
  chatsOf(userId: number): readonly { platform: ChatPlatform; chatId: string }[];
  schedule: Scheduler;
};

/** Tells people what they wanted to be told of events, each thing once, also when the server is killed in between. */
export type ReminderWatch = {
  /** Begins, or begins anew, with the reminders that are kept. */
  restart(): void;
  /** Looks whether anybody is to be told something now; to be called at every tick. */
  look(): void;
  /** Takes note that a reminder was set on an event. */
  changed(eventId: string): void;
  /** Events that are watched. */
  watched(): number;
  stop(): void;
};

type Due = { before: BeforeDue | null; hasFigure: boolean };

function dueOf(event: CalendarEvent, now: number): Due | null {
  const before = beforeDue(event, now);
  const hasFigure = event.actual !== null;
  return before || hasFigure ? { before, hasFigure } : null;
}

/** How many people were notified, and whether that was everybody. */
type Notified = { people: number; isAll: boolean };

/** Stays the same as long as those who were told are told of the same. */
const keyOf = ({ before, hasFigure }: Due): string => `${before?.time ?? ''} ${hasFigure}`;

/** Writes the marks and the messages of some people in one transaction. */
function createTelling(deps: ReminderWatchDeps) {
  const { store, clock, outbox, chatsOf, label, publicUrl } = deps;

  function tell(
    event: CalendarEvent,
    userIds: readonly number[],
    messageOf: (event: CalendarEvent, context: ReminderContext) => ReturnType<typeof beforeMessage>,
  ): void {
    const message = messageOf(event, { now: clock.now(), label: label(), publicUrl });
    const messages = userIds.flatMap((userId) =>
      chatsOf(userId).map(({ platform, chatId }) => ({ platform, chatId, userId, triggerId: null, message })),
    );
    if (messages.length > 0) outbox.add(messages);
  }

  return (event: CalendarEvent, { before, hasFigure }: Due): Notified =>
    store.inTransaction(() => {
      const early = before ? store.toTellBefore(event.id, before.toldSince, PEOPLE_AT_ONCE) : [];
      if (early.length > 0) {
        store.markBefore(event.id, early, clock.now());
        tell(event, early, beforeMessage);
      }
      const curious = hasFigure ? store.toTellFigure(event.id, PEOPLE_AT_ONCE) : [];
      if (curious.length > 0) {
        store.markFigure(event.id, curious, clock.now());
        tell(event, curious, figureMessage);
      }
      const isAll = early.length < PEOPLE_AT_ONCE && curious.length < PEOPLE_AT_ONCE;
      return { people: early.length + curious.length, isAll };
    });
}

export function createReminderWatch(deps: ReminderWatchDeps): ReminderWatch {
  const { store, events, clock, log, outbox, schedule } = deps;
  const tellDue = createTelling(deps);
  /** By event: of what everybody was told already; null while it is not known that there is nobody left. */
  const watched = new Map<string, string | null>();
  let cancel: (() => void) | null = null;
  const failing = new Set<string>();

  /** @returns how many people were told */
  function lookAt(eventId: string): number {
    const event = events.get(eventId);
    const due = event && dueOf(event, clock.now());
    if (!due || watched.get(eventId) === keyOf(due)) return 0;
    const { people, isAll } = tellDue(event, due);
    failing.delete(eventId);
    if (isAll) watched.set(eventId, keyOf(due));
    return people;
  }

  /** An event that fails keeps no other waiting. */
  function safely(eventId: string): number {
    try {
      return lookAt(eventId);
    } catch (error) {
      if (!failing.has(eventId)) {
        log.error('Reminders of an event could not be told; trying again', { event: eventId, error });
      }
      failing.add(eventId);
      return 0;
    }
  }

  /** One slice. The next follows after everything else had its turn. */
  function look(): void {
    let people = 0;
    for (const eventId of watched.keys()) {
      people += safely(eventId);
      if (people < PEOPLE_AT_ONCE) continue;
      cancel ??= schedule(0, again);
      break;
    }
    if (people > 0) outbox.wake();
  }

  function again(): void {
    cancel = null;
    look();
  }

  return {
    restart() {
      watched.clear();
      failing.clear();
      for (const eventId of store.eventIds()) watched.set(eventId, null);
    },
    look,
    changed: (eventId) => void watched.set(eventId, null),
    watched: () => watched.size,
    stop() {
      cancel?.();
      cancel = null;
    },
  };
}
