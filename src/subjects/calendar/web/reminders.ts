import { type ReadonlySignal, signal } from '@preact/signals-react';
import { messageOf, readerOf, request } from '#web/api/client.ts';
import { fetchLinkedChats } from '#subjects/chats/web/shared/linkedChats.ts';
import { devicesInUse, devicesOrNone } from '#subjects/devices/web/shared/devices.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { Loader } from '#web/shared/loader.ts';
import { showBriefly } from '#web/shared/saved.ts';
import type { Known } from '#lib/contract/fields.ts';
import { reminder, remindersAnswer, savedAnswer } from '../answers/calendar.ts';

type Reminder = Known<typeof reminder>;
export type ReminderChoice = Pick<Reminder, 'before' | 'figure'>;

async function fetchReminders(): Promise<Reminder[]> {
  return (await request('GET /api/calendar/reminders', { read: readerOf(remindersAnswer) })).reminders;
}

/** An empty choice deletes the reminder. @returns the stored reminder, null if the answer lacks it, and a note */
async function putReminder(
  eventId: string,
  choice: ReminderChoice,
): Promise<{ reminder: Reminder | null; note: string | null }> {
  // Encoded here, because ids come from the source and the path is not encoded elsewhere.
  const path = encodeURIComponent(eventId);
  const body = await request('PUT /api/calendar/reminders/:eventId', {
    params: { eventId: path },
    body: choice,
  });
  return { reminder: reminder.read(body), note: savedAnswer.read(body)?.note ?? null };
}

export const NO_REMINDER: ReminderChoice = { before: false, figure: false };

const NO_CHAT = 'no chat or device receives reminders yet';

const choices = signal<ReadonlyMap<string, ReminderChoice> | null>(null);
const failures = signal<ReadonlyMap<string, string>>(new Map());
const chatNote = signal(false);

/** Choices that the server has confirmed, by event. */
const saved = new Map<string, ReminderChoice>();
/** Events with a pending save. */
const sending = new Set<string>();
/** Increases when answers to pending requests become invalid. */
let epoch = 0;

const loader = new Loader(async (given) => {
  const list = await fetchReminders();
  if (given.aborted) return;
  const changed = [...sending].map((id) => [id, choices.peek()?.get(id) ?? NO_REMINDER] as const);
  saved.clear();
  for (const { eventId, before, figure } of list) saved.set(eventId, { before, figure });
  choices.value = new Map([...saved, ...changed]);
}, 'Your reminders could not be loaded');

/** Reminders by event, including unsaved choices; null until loaded. */
export const reminders: ReadonlySignal<ReadonlyMap<string, ReminderChoice> | null> = choices;
export const remindersError: ReadonlySignal<string | null> = loader.error;
export const reminderErrors: ReadonlySignal<ReadonlyMap<string, string>> = failures;
/** Whether reminders cannot be delivered, because there is no chat or device. */
export const hasNoChat: ReadonlySignal<boolean> = chatNote;

function withEntry<T>(map: ReadonlyMap<string, T>, id: string, value: T | null): ReadonlyMap<string, T> {
  const next = new Map(map);
  if (value === null) next.delete(id);
  else next.set(id, value);
  return next;
}

export const loadReminders = loader.load;

export async function findChat(): Promise<void> {
  const own = epoch;
  try {
    const [chats, devices] = await Promise.all([fetchLinkedChats(), devicesOrNone()]);
    if (own === epoch)
      chatNote.value = chats.every(({ confirmed }) => !confirmed) && devicesInUse(devices).length === 0;
  } catch (problem) {
    console.warn('The linked chats could not be loaded.', problem);
  }
}

/**
 * Shows a choice immediately and saves it. If the server refuses, the choice is reverted and `reminderErrors` has the
 * reason. Resolves when it is saved or refused, or at once if an earlier choice is still being saved.
 */
export async function chooseReminder(eventId: string, change: Partial<ReminderChoice>): Promise<void> {
  const before = choices.peek()?.get(eventId) ?? NO_REMINDER;
  choices.value = withEntry(choices.peek() ?? new Map(), eventId, { ...before, ...change });
  failures.value = withEntry(failures.peek(), eventId, null);
  // Sends one request at a time per event, because answers that overtake each other could leave the older choice.
  if (!sending.has(eventId)) await send(eventId);
}

export type Offer = keyof ReminderChoice;
export const OFFERS: Readonly<Record<Offer, string>> = {
  before: 'Alert me 5 minutes before',
  figure: 'Alert me when the figure is out',
};

/** Sets a reminder with one click, and says so. @param change opens its other choices; null if they are shown */
export async function remind(
  { id, name }: Pick<CalendarEvent, 'id' | 'name'>,
  offer: Offer,
  change: (() => void) | null,
): Promise<void> {
  await chooseReminder(id, { [offer]: true });
  const failure = failures.peek().get(id);
  if (failure !== undefined) return showBriefly(`${name}: ${failure}`);
  const set = offer === 'before' ? 'Reminder set for 5 minutes before' : 'Reminder set for the figure of';
  const unheard = chatNote.peek() ? `, but ${NO_CHAT}` : '';
  showBriefly(
    `${set} ${name}${unheard}`,
    { label: 'Undo', run: () => void chooseReminder(id, NO_REMINDER) },
    ...(change === null ? [] : [{ label: 'Change…', run: change }]),
  );
}

const isSame = (a: ReminderChoice, b: ReminderChoice): boolean =>
  a.before === b.before && a.figure === b.figure;

/** Saves an event's choice, and repeats until the newest choice is saved. */
async function send(eventId: string): Promise<void> {
  const own = epoch;
  sending.add(eventId);
  try {
    let sent: ReminderChoice;
    do {
      sent = choices.peek()?.get(eventId) ?? NO_REMINDER;
      const { reminder, note } = await putReminder(eventId, sent);
      if (own !== epoch) return;
      const { before, figure } = reminder ?? sent;
      saved.set(eventId, { before, figure });
      if (before || figure) chatNote.value = note !== null;
    } while (!isSame(choices.peek()?.get(eventId) ?? NO_REMINDER, sent));
    choices.value = withEntry(choices.peek() ?? new Map(), eventId, saved.get(eventId) ?? NO_REMINDER);
  } catch (problem) {
    if (own !== epoch) return;
    failures.value = withEntry(failures.peek(), eventId, messageOf(problem, 'The reminder was not saved'));
    choices.value = withEntry(choices.peek() ?? new Map(), eventId, saved.get(eventId) ?? null);
  } finally {
    if (own === epoch) sending.delete(eventId);
  }
}

export function forgetReminders(): void {
  epoch += 1;
  loader.reset();
  saved.clear();
  sending.clear();
  choices.value = null;
  failures.value = new Map();
  chatNote.value = false;
}
