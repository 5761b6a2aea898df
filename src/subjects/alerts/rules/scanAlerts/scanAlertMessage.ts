import { eventFilterText } from '../eventFilter.ts';
import { feedText, nameLine } from '../alertMessage.ts';
import { plainLine } from '#texts/plainText.ts';
import { seenInFull, seenText } from '../seenText.ts';
import { scanNameOf } from '#subjects/conditions/rules/scanFields.ts';
import { codeText, type MessageStock, stockTitle, symbolLink, symbolPage } from '../stockTitle.ts';
import type { ChatButton, ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { counted, formatTime } from '#texts/format.ts';
import { EVENT_PAST } from './scanAlertText.ts';
import type { Announced, ScanMessageAlert, ScanTrigger } from './scanAlert.ts';

const MAX_LINE = 160;
const MAX_CONDITION_LINES = 8;
const MAX_CODES = 40;
const MAX_HEADLINES = 8;

export type ScanMessageContext = {
  /** The stock when the alert fired; null for a summary, or if the stock is no longer listed. */
  stock: MessageStock | null;
  /** The source's label: 'Simulated', 'Delayed 20 min', 'Live'. */
  label: string;
  publicUrl: string | null;
};

export const scanAlertButtons = (alertId: number, isOn: boolean): ChatButton[] =>
  isOn
    ? [
        { action: 'scansnooze', target: alertId, label: 'Snooze 1 h' },
        { action: 'scanoff', target: alertId, label: 'Off' },
      ]
    : [{ action: 'scanon', target: alertId, label: 'On' }];

/** The conditions that decided: those that hold for a stock that entered, those that fail for one that left. */
function reasonLines({ seen, event }: Pick<ScanTrigger, 'seen' | 'event'>): string[] {
  const decided = seen.filter(({ holds }) => holds === (event === 'enters'));
  const lines = decided
    .slice(0, MAX_CONDITION_LINES)
    .map((one) => plainLine(event === 'enters' ? seenText(one) : seenInFull(one), MAX_LINE));
  const more = decided.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more condition${more === 1 ? '' : 's'}`] : lines;
}

const happened = ({ event, scanLabel, marketAt }: ScanTrigger): string =>
  `${EVENT_PAST[event]} ${plainLine(scanNameOf(scanLabel), MAX_LINE / 2)} · ${formatTime(marketAt)} Sydney`;

function codesText(symbols: readonly string[]): string {
  const shown = symbols.slice(0, MAX_CODES).map(codeText);
  const more = symbols.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** The title of a message: the stock and its price, or the number of stocks or announcements in a summary. */
function titleOf(
  { symbol, symbols, announcements, event }: ScanTrigger,
  { stock }: ScanMessageContext,
): string {
  if (symbol !== null) return stockTitle(symbol, stock);
  if (announcements)
    return `${counted(announcements.length, 'announcement')} of ${counted(symbols.length, 'stock')}`;
  return `${symbols.length} more ${symbols.length === 1 ? 'stock' : 'stocks'} ${event === 'enters' ? 'entered' : 'left'}`;
}

/** Headlines of announcements, each after its code if there are several. */
function newsLines(announcements: readonly Announced[], isNamed: boolean): string[] {
  const lines = announcements
    .slice(0, MAX_HEADLINES)
    .map(({ code, headline }) => plainLine(isNamed ? `${code}: ${headline}` : headline, MAX_LINE));
  const more = announcements.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

/** What follows a single headline: 'Price sensitive · Trading halt · 08:31 Sydney'. */
function newsText({ announcements, marketAt }: ScanTrigger): string {
  const [only, ...others] = announcements ?? [];
  const time = `${formatTime(marketAt)} Sydney`;
  return only?.isPriceSensitive && others.length === 0 ? `Price sensitive · ${time}` : time;
}

/** Names the stock, what it entered or left, when, and the deciding values. A summary lists its stocks. */
export function scanAlertMessage(
  trigger: ScanTrigger,
  { id, name }: ScanMessageAlert,
  context: ScanMessageContext,
): ChatMessage {
  const { symbol, symbols, announcements } = trigger;
  const reasons = symbol === null ? [codesText(symbols)] : reasonLines(trigger);
  const happening = announcements
    ? [...newsLines(announcements, symbol === null), newsText(trigger)]
    : [happened(trigger), ...reasons];
  const filter = trigger.guard && eventFilterText(trigger.guard);
  const lines = [...happening, filter, nameLine(name), feedText(trigger, context.label)];
  const mute: ChatButton = { action: 'scanmute', target: trigger.id, label: 'Not this stock today' };
  const why: ChatButton = { action: 'scanwhy', target: trigger.id, label: 'Why' };
  return {
    title: titleOf(trigger, context),
    lines: lines.filter((line) => line !== null),
    link: symbol === null ? null : symbolLink(symbol, context.publicUrl),
    page: symbol !== null ? symbolPage(symbol) : announcements ? '#/announcements' : '#/watchlist',
    buttons:
      symbol === null
        ? scanAlertButtons(id, true)
        : [mute, ...scanAlertButtons(id, true), ...(announcements ? [] : [why])],
  };
}

export function scanTriggerText(trigger: ScanTrigger, context: ScanMessageContext): string {
  const { event, scanLabel, announcements } = trigger;
  const title = titleOf(trigger, context);
  if (announcements) {
    const guard = trigger.guard && eventFilterText(trigger.guard);
    return [title, ...newsLines(announcements, trigger.symbol === null), guard].filter(Boolean).join(' · ');
  }
  const eventText = `${trigger.symbol === null ? '' : `${EVENT_PAST[event].toLowerCase()} `}${plainLine(scanNameOf(scanLabel), MAX_LINE / 2)}`;
  const [reason] = trigger.symbol === null ? [codesText(trigger.symbols)] : reasonLines(trigger);
  const filter = trigger.guard && eventFilterText(trigger.guard);
  return [title, eventText, reason, filter].filter(Boolean).join(' · ');
}

/** The answer to Why, a separate message. @param trigger null if it was deleted */
export function scanWhyMessage(trigger: ScanTrigger | null): ChatMessage {
  const nothing = { link: null, buttons: [] };
  if (trigger === null || trigger.symbol === null) {
    return {
      title: 'Bellbird',
      lines: ['The values from the time of this alert are no longer stored.'],
      ...nothing,
    };
  }
  const feed = feedText(
    trigger,
    trigger.delayMinutes === 0 ? 'no delay' : `Delayed ${trigger.delayMinutes} min`,
  );
  return {
    title: `${codeText(trigger.symbol)}: why`,
    lines: [
      happened(trigger),
      ...trigger.seen.slice(0, MAX_CONDITION_LINES).map((one) => plainLine(seenInFull(one), MAX_LINE)),
      `Source ${plainLine(trigger.source, MAX_LINE / 4)}${feed === null ? '' : `, ${feed}`}`,
    ],
    ...nothing,
  };
}

const ANSWER_MARK = '→ ';

export function answeredScanMessage(
  shown: ChatMessage | null,
  answer: string,
  alert: { id: number; isOn: boolean } | null,
): ChatMessage {
  const message = shown ?? { title: 'Bellbird', lines: [], link: null, buttons: [] };
  const lines = message.lines.filter((line) => !line.startsWith(ANSWER_MARK));
  const kept = message.buttons.filter(
    ({ action }) => action === 'scanwhy' || (action === 'scanmute' && alert?.isOn),
  );
  const buttons = alert === null ? [] : [...kept, ...scanAlertButtons(alert.id, alert.isOn)];
  return { ...message, lines: [...lines, `${ANSWER_MARK}${answer}`], buttons };
}
