import { distance } from 'fastest-levenshtein';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { stockTitle, symbolLink } from '#subjects/alerts/rules/stockTitle.ts';
import { plainLine } from '#texts/plainText.ts';
import { formatShort, formatTime } from '#texts/format.ts';
import { isHalted } from '#market/rules/halted.ts';
import { NO_LIVE_LIST } from '#market/rules/liveSymbols.ts';
import type { Stock } from '#market/rules/stock.ts';
import { matchSymbols } from '#market/rules/symbolSearch.ts';
import type { ChatMessage, ChatButton } from '#platform/chatClients/rules/chatMessage.ts';
import { note } from './linkReplies.ts';
import type { Alert } from '#subjects/alerts/rules/alert.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';

/** By its title a list is told from the message of one alert. */
export const ALERT_LIST_TITLE = 'Your alerts';

/** As many as there can be buttons under a message on either platform, and lines to be read on a phone. */
const MAX_SHOWN = 20;
const MAX_LINE = 90;

function stateOf(alert: Alert, { now, whenOn }: ListContext): string {
  const { active, snoozedUntil, stoppedReason } = alert;
  if (!active) return stoppedReason === null ? 'off' : 'stopped';
  if (snoozedUntil !== null && snoozedUntil > now) return `snoozed until ${formatTime(snoozedUntil)} Sydney`;
  const when = whenOn(alert);
  return when === null ? 'on' : `on ${when}`;
}

type ListContext = {
  /** Epoch ms by the wall clock. */
  now: number;
  catalog: Pick<Catalog, 'indicators'>;
  /** The period in which an alert is on if it can hold only before the open, otherwise null. */
  whenOn(alert: Alert): string | null;
};

/** A user's alerts, with a button under each that switches it on or off. */
export function alertListReply(alerts: readonly Alert[], context: ListContext): ChatMessage {
  if (alerts.length === 0) {
    return note(ALERT_LIST_TITLE, 'You have none yet. Make one in Bellbird under Watchlist & Alerts.');
  }
  const shown = alerts.slice(0, MAX_SHOWN);
  const lines = shown.map((alert, index) => {
    const what = plainLine(alert.name ?? logicText(alert.logic, context.catalog), MAX_LINE);
    return `${index + 1}) ${alert.symbol}: ${what} (${stateOf(alert, context)})`;
  });
  const buttons = shown.map(
    ({ id, symbol, active }, index): ChatButton => ({
      action: active ? 'off' : 'on',
      target: id,
      label: `${index + 1}) ${symbol} ${active ? 'off' : 'on'}`,
    }),
  );
  const more = alerts.length - shown.length;
  if (more > 0) lines.push(`and ${more} more in Bellbird`);
  return { title: ALERT_LIST_TITLE, lines, link: null, buttons };
}

const MAX_NAME = 80;
const MAX_SUGGESTIONS = 5;

type PriceContext = {
  /** The source's label: 'Simulated', 'Delayed 20 min'. */
  label: string;
  publicUrl: string | null;
  /** When the quote was made, epoch ms; null when that is not known. */
  quoteAt: number | null;
};

function stateLine(stock: Stock): string | null {
  if (isHalted(stock)) return `${stock.status}: not trading. These are the prices from before.`;
  return stock.status === 'Open' ? null : stock.status;
}

function tradedLine({ volume, value }: Stock): string | null {
  if (volume === null) return null;
  const money = value === null ? '' : `, $${formatShort(value)}`;
  return `Volume ${formatShort(volume)}${money}`;
}

function pricesLine({ close, open, high, low }: Stock): string | null {
  const named = { 'P. Close': close, Open: open, High: high, Low: low };
  const parts = Object.entries(named).flatMap(([name, price]) =>
    price === null ? [] : [`${name} ${priceText(price)}`],
  );
  return parts.length === 0 ? null : parts.join(' · ');
}

/** A stock's price now, and where it comes from. */
export function priceReply(stock: Stock, { label, publicUrl, quoteAt }: PriceContext): ChatMessage {
  const hasPrice = stock.last !== null || stock.match_price !== null;
  const lines = [
    stock.name === stock.code ? null : plainLine(stock.name, MAX_NAME),
    stateLine(stock),
    hasPrice ? null : 'No trade yet.',
    pricesLine(stock),
    tradedLine(stock),
    quoteAt === null ? label : `${label} · quote from ${formatTime(quoteAt)} Sydney`,
  ];
  return {
    title: stockTitle(stock.code, stock),
    lines: lines.filter((line) => line !== null),
    link: symbolLink(stock.code, publicUrl),
    buttons: [],
  };
}

/** Codes like one that is not listed: those that begin with it, else those that differ by one letter. */
function suggestions(code: string, codes: Iterable<string>): string[] {
  const all = [...codes];
  const begun = matchSymbols(code, all, MAX_SUGGESTIONS);
  if (begun.length > 0) return begun;
  return all
    .filter((known) => Math.abs(known.length - code.length) <= 1 && distance(known, code) === 1)
    .sort()
    .slice(0, MAX_SUGGESTIONS);
}

/** @param codes the live list, upper case */
export function unknownCodeReply(
  code: string,
  codes: { readonly size: number; keys(): Iterable<string> },
): ChatMessage {
  if (codes.size === 0) return note(NO_LIVE_LIST);
  const found = suggestions(code, codes.keys());
  const hint = found.length === 0 ? 'Send an ASX code, like BHP.' : `Did you mean ${found.join(', ')}?`;
  return note(`${plainLine(code, 12) || 'That'} is not in the live list`, hint);
}

export const noCodeReply = (command: string): ChatMessage =>
  note('Which stock?', `Send its code too, like /${command} BHP.`);

export const watchedReply = (symbol: string, isNew: boolean): ChatMessage =>
  note(isNew ? `${symbol} is now on your watchlist` : `${symbol} is already on your watchlist`);

export const notWatchedReply = (symbol: string): ChatMessage =>
  note(`${plainLine(symbol, 12) || 'That'} is not on your watchlist`);

export const unwatchedReply = (symbol: string): ChatMessage => note(`${symbol} is off your watchlist`);

/** The alerts of a symbol go with it, so that has to be said twice. */
export const alertsGoTooReply = (symbol: string, count: number): ChatMessage =>
  note(
    `${symbol} has ${count === 1 ? 'an alert' : `${count} alerts`}`,
    `${count === 1 ? 'It' : 'They'} would be deleted with it. Send "/unwatch ${symbol} all" if you want that.`,
  );
