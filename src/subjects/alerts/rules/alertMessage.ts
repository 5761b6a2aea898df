import { MINUTE_MS } from '#lib/units.ts';
import type { ChatButton, ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatDate, formatTime } from '#texts/format.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import type { Alert } from './alert.ts';
import { eventFilterText } from './eventFilter.ts';
import { plainLine } from '#texts/plainText.ts';
import { seenText } from './seenText.ts';
import { type MessageStock, stockTitle, symbolLink, symbolPage } from './stockTitle.ts';
import type { Trigger } from './trigger.ts';
import { UNTIL_OPEN } from './alertState.ts';

export const splitReason = (symbol: string): string =>
  `${symbol} was split or consolidated. Check the prices in this alert.`;

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

export type NoteContext = {
  /** The stock when the alert fired; null if it is no longer listed. */
  stock: MessageStock | null;
  /** The source's label: 'Simulated', 'Delayed 20 min', 'Live'. */
  label: string;
  /** Returns cached titles; omit to use `stockTitle`. */
  titleOf?: typeof stockTitle;
};

/**
 * Data that a message needs in addition to its trigger. Thousands of alerts may fire in one tick, so this is stored
 * with the trigger, and the message is built when it is sent.
 */
export type AlertNote = {
  title: string;
  name: string | null;
  /** Why this trigger stopped the alert; null if it did not. */
  stoppedReason: string | null;
  label: string;
  /** The owner's note for the message. */
  note: string | null;
  /** True if the conditions can only hold before the open. */
  isUntilOpen: boolean;
};

/** Characters per line, which keeps a message below each platform's limit. */
const MAX_LINE = 160;
const MAX_CONDITION_LINES = 8;
const MAX_NAME = 80;

/** '10:22', with the date if it is not the trigger's day. */
function quoteMoment(quoteAt: number, marketAt: number): string {
  const date = sydneyDate(quoteAt);
  return date === sydneyDate(marketAt) ? formatTime(quoteAt) : `${formatTime(quoteAt)}, ${formatDate(date)}`;
}

/** How old and how reliable the prices are; null for a live feed. */
export function feedText(
  { quoteAt, marketAt, delayMinutes }: Pick<Trigger, 'quoteAt' | 'marketAt' | 'delayMinutes'>,
  label: string,
): string | null {
  if (label === 'Live' && delayMinutes === 0) return null;
  const shown = plainLine(label, MAX_LINE / 2) || 'Source without a label';
  if (quoteAt !== null) return `${shown}: quote of ${quoteMoment(quoteAt, marketAt)}`;
  if (delayMinutes === 0) return shown;
  return `${shown}: quote of about ${quoteMoment(marketAt - delayMinutes * MINUTE_MS, marketAt)}`;
}

/** Why the alert is off now, or until when it is on. */
function stateText({ deactivated }: Trigger, { stoppedReason, isUntilOpen }: AlertNote): string | null {
  if (!deactivated) return isUntilOpen ? `This alert is on ${UNTIL_OPEN}.` : null;
  return stoppedReason === null
    ? 'This alert fires once and is now switched off.'
    : `Stopped: ${plainLine(stoppedReason, MAX_LINE)}`;
}

/** One line per condition that held; the first line has the time. */
function conditionLines(trigger: Trigger): string[] {
  const time = `${formatTime(trigger.marketAt)} Sydney`;
  const held = trigger.seen.filter(({ holds }) => holds === true);
  const shown = held.slice(0, MAX_CONDITION_LINES).map((seen) => plainLine(seenText(seen), MAX_LINE));
  const more = held.length - shown.length;
  if (more > 0) shown.push(`and ${more} more condition${more === 1 ? '' : 's'}`);
  const [first, ...others] = shown;
  return [first === undefined ? time : `${first} · ${time}`, ...others];
}

export const nameLine = (name: string | null): string | null =>
  name === null ? null : plainLine(name, MAX_NAME) || null;

export const alertButtons = (alertId: number, triggerId: number, isOn: boolean): ChatButton[] => [
  ...(isOn
    ? [
        { action: 'snooze', target: alertId, label: 'Snooze 1 h' } as const,
        { action: 'off', target: alertId, label: 'Off' } as const,
      ]
    : [{ action: 'on', target: alertId, label: 'On' } as const]),
  { action: 'why', target: triggerId, label: 'Why' },
];

export type NotedAlert = Pick<Alert, 'name' | 'stoppedReason' | 'note'> &
  Partial<Pick<AlertNote, 'isUntilOpen'>>;

/** @param alert the alert after the trigger; `stoppedReason` says why it was stopped */
export const alertNote = (
  { symbol }: Pick<Trigger, 'symbol'>,
  { name, stoppedReason, note, isUntilOpen = false }: NotedAlert,
  { stock, label, titleOf = stockTitle }: NoteContext,
): AlertNote => ({ title: titleOf(symbol, stock), name, stoppedReason, label, note, isUntilOpen });

/**
 * The message of a trigger: price, event and time, name, feed, and whether the alert is off now. Plain text below 2,000
 * characters, without the link's address.
 */
export function alertMessage(trigger: Trigger, note: AlertNote, publicUrl: string | null): ChatMessage {
  const lines = [
    ...conditionLines(trigger),
    trigger.guard && eventFilterText(trigger.guard),
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

/** Sent if building the full message fails, because every trigger must be reported. */
export const shortMessage = ({ title }: Pick<AlertNote, 'title'>): ChatMessage => ({
  title,
  lines: ['The alert fired.'],
  link: null,
  buttons: [],
});
