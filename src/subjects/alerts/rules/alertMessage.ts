import type { ChatButton, ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatDate, formatTime } from '#texts/format.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import type { Alert } from './alert.ts';
import { guardText } from './eventGuard.ts';
import { plainLine } from '#texts/plainText.ts';
import { seenText } from './seenText.ts';
import { type MessageStock, stockTitle, symbolLink, symbolPage } from './stockTitle.ts';
import type { Trigger } from './trigger.ts';
import { UNTIL_OPEN } from './alertState.ts';

/** Why the alerts on a stock are stopped at its split. */
export const splitReason = (symbol: string): string =>
  `${symbol} was split or consolidated, so the prices in this alert may not fit any more.`;

/** Tells an alert's owner that it was stopped without having fired. */
export const stoppedMessage = ({
  id,
  symbol,
  name,
  stoppedReason,
}: Pick<Alert, 'id' | 'symbol' | 'name' | 'stoppedReason'>): ChatMessage => ({
  title: `${symbol} · alert stopped`,
  lines: [...(name ? [name] : []), ...(stoppedReason ? [stoppedReason] : [])],
  link: null,
  page: symbolPage(symbol),
  buttons: [{ action: 'on', target: id, label: 'Switch on again' }],
});

/** What a note is made of besides the trigger and its alert. */
export type NoteContext = {
  /** The stock as it was when the alert fired; null when it is not listed any more. */
  stock: MessageStock | null;
  /** The source's label: 'Simulated', 'Delayed 20 min', 'Live'. */
  label: string;
  /** Gives titles that it kept; `stockTitle` when absent. */
  titleOf?: typeof stockTitle;
};

/**
 * What the message of an alert says besides its trigger, as it was at that moment. Thousands may fire in one tick, so this
 * is noted with the trigger, and the message made of both when it is sent.
 */
export type AlertNote = {
  title: string;
  /** The alert's. */
  name: string | null;
  /** Why this trigger stopped the alert; null when it did not. */
  stoppedReason: string | null;
  /** The source's. */
  label: string;
  /** What the alert's owner wrote to go into the message; null for nothing. */
  note: string | null;
  /** Whether the alert's conditions can only hold before the open. */
  isUntilOpen: boolean;
};

/** So that a message stays below the length of either platform, whatever its alert is made of. */
const MAX_LINE = 160;
const MAX_CONDITION_LINES = 8;
/** The limit of names (code points). */
const MAX_NAME = 80;
const MINUTE_MS = 60_000;

/** '10:22', with its date when that is not the day of the trigger. */
function quoteMoment(quoteAt: number, marketAt: number): string {
  const date = sydneyDate(quoteAt);
  return date === sydneyDate(marketAt) ? formatTime(quoteAt) : `${formatTime(quoteAt)}, ${formatDate(date)}`;
}

/** What is to be known of the prices; null for a live feed. */
export function feedText(
  { quoteAt, marketAt, delayMinutes }: Pick<Trigger, 'quoteAt' | 'marketAt' | 'delayMinutes'>,
  label: string,
): string | null {
  if (label === 'Live' && delayMinutes === 0) return null;
  const said = plainLine(label, MAX_LINE / 2) || 'Source without a label';
  if (quoteAt !== null) return `${said}: quote of ${quoteMoment(quoteAt, marketAt)}`;
  if (delayMinutes === 0) return said;
  return `${said}: quote of about ${quoteMoment(marketAt - delayMinutes * MINUTE_MS, marketAt)}`;
}

/** Why the alert is off now, or how long it is on; null when it simply goes on. */
function stateText({ deactivated }: Trigger, { stoppedReason, isUntilOpen }: AlertNote): string | null {
  if (!deactivated) return isUntilOpen ? `This alert is on ${UNTIL_OPEN}.` : null;
  return stoppedReason === null
    ? 'It fires once: this alert is now switched off.'
    : `Stopped: ${plainLine(stoppedReason, MAX_LINE)}`;
}

/** What held, one line a condition; the first has the time. */
function conditionLines(trigger: Trigger): string[] {
  const time = `${formatTime(trigger.marketAt)} Sydney`;
  const held = trigger.seen.filter(({ holds }) => holds === true);
  const shown = held.slice(0, MAX_CONDITION_LINES).map((seen) => plainLine(seenText(seen), MAX_LINE));
  const more = held.length - shown.length;
  if (more > 0) shown.push(`and ${more} more condition${more === 1 ? '' : 's'}`);
  const [first, ...others] = shown;
  return [first === undefined ? time : `${first} · ${time}`, ...others];
}

/** The name of an alert as a line; null when it has none. */
export const nameLine = (name: string | null): string | null =>
  name === null ? null : plainLine(name, MAX_NAME) || null;

/** The buttons under an alert: what can be done while it is on, or once it is off. */
export const alertButtons = (alertId: number, triggerId: number, isOn: boolean): ChatButton[] => [
  ...(isOn
    ? [
        { action: 'snooze', target: alertId, label: 'Snooze 1 h' } as const,
        { action: 'off', target: alertId, label: 'Off' } as const,
      ]
    : [{ action: 'on', target: alertId, label: 'On' } as const]),
  { action: 'why', target: triggerId, label: 'Why' },
];

/** What a note takes from its alert. */
export type NotedAlert = Pick<Alert, 'name' | 'stoppedReason' | 'note'> &
  Partial<Pick<AlertNote, 'isUntilOpen'>>;

/** @param alert as it is after the trigger: `stoppedReason` says why it was stopped */
export const alertNote = (
  { symbol }: Pick<Trigger, 'symbol'>,
  { name, stoppedReason, note, isUntilOpen = false }: NotedAlert,
  { stock, label, titleOf = stockTitle }: NoteContext,
): AlertNote => ({ title: titleOf(symbol, stock), name, stoppedReason, label, note, isUntilOpen });

/**
 * The message of an alert that fired, to be read in a notification: the price, what happened and when, the alert's
 * name, what is to be known of the feed, and whether the alert is off now. Plain text of less than 2,000 characters
 * but for the address of the link.
 * @param publicUrl the server's public address, without a slash at its end; null when it has none
 */
export function alertMessage(trigger: Trigger, note: AlertNote, publicUrl: string | null): ChatMessage {
  const lines = [
    ...conditionLines(trigger),
    trigger.guard && guardText(trigger.guard),
    nameLine(note.name),
    note.note === null ? null : plainLine(note.note, MAX_LINE) || null,
    feedText(trigger, note.label),
    stateText(trigger, note),
  ];
  return {
    title: note.title,
    lines: lines.filter((line) => line !== null),
    link: symbolLink(trigger.symbol, publicUrl),
    page: symbolPage(trigger.symbol),
    buttons: alertButtons(trigger.alertId, trigger.id, !trigger.deactivated),
  };
}

/** The same when it can't be made in full: that the alert fired must be told all the same. */
export const shortMessage = ({ title }: Pick<AlertNote, 'title'>): ChatMessage => ({
  title,
  lines: ['The alert fired.'],
  link: null,
  buttons: [],
});
