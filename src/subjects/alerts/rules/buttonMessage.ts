import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatTime } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';
import { alertButtons, feedText } from './alertMessage.ts';
import { eventFilterText } from './eventFilter.ts';
import { seenInFull } from './seenText.ts';
import { codeText } from './stockTitle.ts';
import type { Trigger } from './trigger.ts';

const MAX_LINE = 160;
const MAX_WHY_LINES = 8;

const ANSWER_MARK = '→ ';
/** Recognises an earlier answer, which a later one replaces. */
const isAnswer = (line: string): boolean => /^→ (?:Snoozed until|Switched o)/.test(line);

const NOTHING: ChatMessage = { title: 'Bellbird', lines: [], link: null, buttons: [] };

/** Adds the answer to a pressed button below the message. @param shown null if the platform does not send the text */
function answered(shown: ChatMessage | null, answer: string, buttons: ChatMessage['buttons']): ChatMessage {
  const message = shown ?? NOTHING;
  const lines = message.lines.filter((line) => !isAnswer(line));
  return { ...message, lines: [...lines, ANSWER_MARK + answer], buttons };
}

/** The trigger id in the message's Why button. */
const triggerOf = (shown: ChatMessage | null): number | null =>
  shown?.buttons.find(({ action }) => action === 'why')?.target ?? null;

function buttonsFor(shown: ChatMessage | null, alertId: number, isOn: boolean): ChatMessage['buttons'] {
  const triggerId = triggerOf(shown);
  const buttons = alertButtons(alertId, triggerId ?? 0, isOn);
  return triggerId === null ? buttons.filter(({ action }) => action !== 'why') : buttons;
}

/** @param until epoch ms by the wall clock */
export const snoozedMessage = (shown: ChatMessage | null, alertId: number, until: number): ChatMessage =>
  answered(shown, `Snoozed until ${formatTime(until)} Sydney.`, buttonsFor(shown, alertId, true));

export const switchedOffMessage = (shown: ChatMessage | null, alertId: number): ChatMessage =>
  answered(shown, 'Switched off.', buttonsFor(shown, alertId, false));

/** @param when until when the alert is on (`untilOpenText`); null for always */
export const switchedOnText = (when: string | null): string =>
  when === null ? 'Switched on.' : `Switched on ${when}.`;

export const switchedOnMessage = (
  shown: ChatMessage | null,
  alertId: number,
  when: string | null,
): ChatMessage => answered(shown, switchedOnText(when), buttonsFor(shown, alertId, true));

/** The message for an alert that was deleted or belongs to another user. */
export const goneMessage = (shown: ChatMessage | null): ChatMessage =>
  answered(shown, 'This alert no longer exists.', []);

/**
 * Explains a trigger: one line per condition with both values (before and after for a crossing), then the quote's time,
 * and the source with its delay.
 */
export function whyText(trigger: Trigger): string[] {
  const lines = trigger.seen.slice(0, MAX_WHY_LINES).map((seen) => plainLine(seenInFull(seen), MAX_LINE));
  const more = trigger.seen.length - lines.length;
  if (more > 0) lines.push(`and ${more} more condition${more === 1 ? '' : 's'}`);
  const { source, delayMinutes, quoteAt, marketAt } = trigger;
  const delay = delayMinutes === 0 ? 'no delay' : `Delayed ${delayMinutes} min`;
  const quote = feedText(trigger, delay) ?? delay;
  const known = quoteAt === null && delayMinutes === 0 ? `${quote}, quote time unknown` : quote;
  return [
    ...lines,
    ...(trigger.guard === null ? [] : [eventFilterText(trigger.guard)]),
    `Fired at ${formatTime(marketAt)} Sydney`,
    `Source ${plainLine(source, MAX_LINE / 4)}, ${known}`,
  ];
}

/** The answer to Why, as a separate message. @param trigger null if it was deleted */
export const whyMessage = (trigger: Trigger | null): ChatMessage =>
  trigger === null
    ? { ...NOTHING, lines: ['The values from the time of this alert are no longer stored.'] }
    : {
        title: `${codeText(trigger.symbol)}: why it fired`,
        lines: whyText(trigger),
        link: null,
        buttons: [],
      };

const MAX_NAME = 80;

/** Asks in a chat whether it belongs to the user who entered its ID. Until the answer nothing else is sent. */
export const confirmRequest = (username: string, linkedChatId: number): ChatMessage => ({
  title: 'Is this your chat?',
  lines: [
    `The Bellbird account ${plainLine(username, MAX_NAME)} wants to send its alerts here.`,
    'Nothing is sent until you confirm. If that account is not yours, press No.',
  ],
  link: null,
  buttons: [
    { action: 'confirm', target: linkedChatId, label: 'Yes, send alerts here' },
    { action: 'refuse', target: linkedChatId, label: 'No' },
  ],
});

/** Replaces the question after the owner confirmed it. */
export const confirmedMessage = (username: string): ChatMessage => ({
  title: 'Chat linked',
  lines: [
    `Alerts from the Bellbird account ${plainLine(username, MAX_NAME)} are now sent here.`,
    'Send /help for the commands.',
  ],
  link: null,
  buttons: [],
});

/** Replaces the question after the owner refused it. */
export const refusedMessage = (): ChatMessage => ({
  title: 'Not linked',
  lines: ['Nothing will be sent here.'],
  link: null,
  buttons: [],
});

/** The question was withdrawn or already answered, or the chat now belongs to another account. */
export const staleRequestMessage = (): ChatMessage => ({
  title: 'Not linked',
  lines: ['This question has expired. Link the chat again in Settings, or send /link.'],
  link: null,
  buttons: [],
});
