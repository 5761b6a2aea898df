import type { ChatButton, ChatMessage } from '../chats/chatMessage.ts';
import { formatDate, formatSigned, formatTime } from '../format.ts';
import { isHalted } from '../market/halted.ts';
import type { Stock } from '../market/stock.ts';
import { sydneyDate } from '../market/sydneyTime.ts';
import type { Alert } from './alert.ts';
import { plainLine } from './plainText.ts';
import { priceText, seenText } from './seenText.ts';
import type { Trigger } from './trigger.ts';

/** What a message shows of the stock besides what the conditions saw. */
export type MessageStock = Pick<
  Stock,
  'status' | 'last' | 'match_price' | 'change_percent' | 'indicativeChangePercent'
>;

export type MessageContext = {
  /** The stock as it was when the alert fired; null when it is not listed any more. */
  stock: MessageStock | null;
  /** The source's label: 'Simulated', 'Delayed 20 min', 'Live'. */
  label: string;
  /** The server's public address, without a slash at its end; null when it has none. */
  publicUrl: string | null;
  /** Gives titles that it kept; `stockTitle` when absent. */
  titleOf?: typeof stockTitle;
};

/** So that a message stays below the length of either platform, whatever its alert is made of. */
const MAX_LINE = 160;
const MAX_CONDITION_LINES = 8;
/** The limit of names (code points). */
const MAX_NAME = 80;
const MAX_SYMBOL = 12;
const MAX_TITLE = 80;
const MINUTE_MS = 60_000;

/** The code of a stock; never empty, as platforms refuse an empty title. */
export const codeText = (symbol: string): string => plainLine(symbol, MAX_SYMBOL) || 'Alert';

/** '▲ +1.7 %'; null when the change is not known. */
function changeText(percent: number | null): string | null {
  if (percent === null || !Number.isFinite(percent)) return null;
  const text = formatSigned(percent, 1);
  if (!/[1-9]/.test(text)) return `${text} %`;
  return `${percent > 0 ? '▲' : '▼'} ${text} %`;
}

/**
 * A stock in a few words: 'BHP 50.61 ▲ +1.7 %', in the auction 'BHP match 50.61 ▲ +1.7 %', in a halt 'BHP halted 50.61
 * ▲ +1.7 %'; the code alone when nothing is known of it.
 */
export function stockTitle(symbol: string, stock: MessageStock | null): string {
  const code = codeText(symbol);
  if (!stock) return code;
  const isAuction = stock.status === 'Pre Open' && stock.match_price !== null;
  const price = isAuction ? stock.match_price : stock.last;
  if (price === null) return code;
  const change = changeText(isAuction ? stock.indicativeChangePercent : stock.change_percent);
  const state = isAuction ? 'match' : isHalted(stock) ? stock.status.toLowerCase() : null;
  const parts = [code, state, priceText(price), change];
  return plainLine(parts.filter((part) => part !== null).join(' '), MAX_TITLE);
}

/** `stockTitle` for the many alerts on one stock: it keeps each stock's title as long as what the title tells is the same. */
export function createStockTitles(): typeof stockTitle {
  const kept = new Map<string, { of: MessageStock; title: string }>();
  return (symbol, stock) => {
    if (!stock) return stockTitle(symbol, stock);
    const known = kept.get(symbol);
    if (known && isSameShown(known.of, stock)) return known.title;
    const { status, last, match_price, change_percent, indicativeChangePercent } = stock;
    const title = stockTitle(symbol, stock);
    kept.set(symbol, {
      of: { status, last, match_price, change_percent, indicativeChangePercent },
      title,
    });
    return title;
  };
}

const isSameShown = (a: MessageStock, b: MessageStock): boolean =>
  a.last === b.last &&
  a.change_percent === b.change_percent &&
  a.status === b.status &&
  a.match_price === b.match_price &&
  a.indicativeChangePercent === b.indicativeChangePercent;

/** The page of a symbol; null when the server has no public address. */
export const symbolLink = (symbol: string, publicUrl: string | null): ChatMessage['link'] =>
  publicUrl === null
    ? null
    : {
        text: `Open ${codeText(symbol)} in Bellbird`,
        url: `${publicUrl}/#/watchlist?symbol=${encodeURIComponent(codeText(symbol))}`,
      };

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

/** Why the alert is off now; null when it is still on. */
function stopText({ deactivated }: Trigger, { stoppedReason }: Alert): string | null {
  if (!deactivated) return null;
  return stoppedReason === null
    ? 'It fires once: this alert is off now.'
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

/**
 * The message of an alert that fired, to be read in a notification: the price, what happened and when, the alert's
 * name, what is to be known of the feed, and whether the alert is off now. Plain text of less than 2,000 characters
 * but for the address of the link.
 * @param alert as it is after the trigger: `stoppedReason` says why it was stopped
 */
export function alertMessage(trigger: Trigger, alert: Alert, context: MessageContext): ChatMessage {
  const lines = [
    ...conditionLines(trigger),
    nameLine(alert.name),
    feedText(trigger, context.label),
    stopText(trigger, alert),
  ];
  return {
    title: (context.titleOf ?? stockTitle)(trigger.symbol, context.stock),
    lines: lines.filter((line) => line !== null),
    link: symbolLink(trigger.symbol, context.publicUrl),
    buttons: alertButtons(alert.id, trigger.id, !trigger.deactivated),
  };
}
