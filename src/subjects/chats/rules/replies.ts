import { distance } from 'fastest-levenshtein';
import type { Catalog } from '#market/indicators/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import { isHalted } from '#market/rules/stockState.ts';
import { matchSymbols, NO_LIVE_LIST } from '#market/rules/liveSymbols.ts';
import { CHAT_COMMANDS, type ChatCommandInfo } from '#platform/chatClients/rules/chatCommand.ts';
import type { ChatButton, ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { type ChatPlatform, PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import type { Alert } from '#subjects/alerts/rules/alert.ts';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { stockTitle, symbolLink } from '#subjects/alerts/rules/stockTitle.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import { formatShort, formatTime } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';

/** A message without link and buttons. */
export const note = (title: string, ...lines: string[]): ChatMessage => ({
  title,
  lines,
  link: null,
  buttons: [],
});

const LINK_HINT = 'Send /link to link this chat to your Bellbird account, or /help for the commands.';

const listed = ({ name }: ChatCommandInfo): boolean => name !== 'start';

/** The commands of this chat. @param username the linked account; null for none */
export function helpReply(username: string | null): ChatMessage {
  const open = CHAT_COMMANDS.filter((one) => listed(one) && (username !== null || one.isForStrangers));
  const lines = open.map(({ name, description }) => `/${name}: ${description}`);
  return username === null
    ? note('Bellbird', ...lines, 'Link this chat to your account for more.')
    : note('Bellbird', ...lines);
}

export const startReply = (username: string | null): ChatMessage =>
  username === null
    ? note('Welcome to Bellbird', 'I send your ASX alerts to this chat.', LINK_HINT)
    : note(
        'Welcome to Bellbird',
        `This chat is linked to the account ${username}.`,
        'Send /help for the commands.',
      );

/** Reply to a text that is not a command. */
export const unknownReply = (isLinked: boolean): ChatMessage =>
  note('I only understand commands', isLinked ? 'Send /help for the commands.' : LINK_HINT);

const UNSEEN = 'You are writing as a group or channel, so I cannot see who you are.';

/** @param chat its ID and, in a group, the ID of the sender */
export function userIdReply(
  platform: ChatPlatform,
  chat: { chatId: string; personId: string | null; isGroup: boolean },
): ChatMessage {
  const { chatId, personId, isGroup } = chat;
  const where = 'Enter it in Bellbird under Settings, Linked Accounts. Or send /link, which needs no ID.';
  const name = PLATFORM_NAMES[platform];
  if (!isGroup || chatId === personId) return note(`Your ${name} ID: ${chatId}`, where);
  const own = personId === null ? UNSEEN : `Your own ${name} ID: ${personId}`;
  return note(`The ${name} ID of this group: ${chatId}`, own, where);
}

const claimPath = (token: string): string => `/#/settings?linkToken=${encodeURIComponent(token)}`;

/** @param publicUrl without a trailing slash; null if unknown */
export function linkReply(token: string, publicUrl: string | null): ChatMessage {
  const once = 'It works once, for 10 minutes. Anyone who opens it can link this chat, so do not share it.';
  if (publicUrl === null) {
    return note(
      'Link this chat',
      'Open Bellbird in your browser and add this to the end of its address:',
      claimPath(token),
      once,
    );
  }
  const url = publicUrl + claimPath(token);
  return {
    title: 'Link this chat',
    lines: ['Open the link below in the browser where you use Bellbird.', once],
    // Shown as text to copy, because Telegram does not link addresses like http://pi:3000.
    link: { text: url, url },
    buttons: [],
  };
}

export const linkedAlreadyReply = (username: string): ChatMessage =>
  note(
    'This chat is already linked',
    `It belongs to the account ${username}. Send /unlink first to link it to another.`,
  );

export const unlinkedReply = (wasLinked: boolean): ChatMessage =>
  wasLinked
    ? note('Chat unlinked', 'No more messages will be sent here.')
    : note('This chat is not linked', 'Send /link to link it to your Bellbird account.');

export const notLinkedReply = (): ChatMessage => note('Link this chat first', LINK_HINT);

export const privateOnlyReply = (): ChatMessage =>
  note('Not in a group', 'Ask me in a private chat that is linked to your account.');

/** Reply in a group if the sender writes as the group or a channel, so that the account is unknown. */
export const anonymousReply = (): ChatMessage =>
  note('I cannot see who you are', UNSEEN, 'Ask me in a private chat that is linked to your account.');

/** Reply in a group if the message of the button is gone. */
export const noButtonReply = (): ChatMessage =>
  note('That button no longer works', 'Press a button under a message that was sent to this group.');

/** Reply in a group if anyone but the account's owner ends the link. */
export const ownerOnlyReply = (): ChatMessage =>
  note(
    'This group is already linked',
    'Only the owner of the linked account can unlink it: in Settings, or with /unlink after linking a private chat.',
  );

/** @param wait '45 seconds' */
export const tooOftenReply = (wait: string): ChatMessage =>
  note('Too many commands', `Try again in ${wait}.`);

export const noQuestionReply = (): ChatMessage =>
  note('What do you want to know?', 'Send your question too, like /ask What moves today?');

export const askLinkReply = (): ChatMessage =>
  note('Link this chat first', 'Questions are for accounts with the Premium plan.', LINK_HINT);

export const premiumOnlyReply = (): ChatMessage =>
  note('Questions need the Premium plan', 'Request it in Bellbird under Settings.');

export const askingReply = (): ChatMessage =>
  note('Working on it', 'The answer will arrive within a minute.');

/** A model's answer. The title says so, because the end of a long answer may be cut off. @param text plain text */
export const answerReply = (text: string): ChatMessage =>
  note('A model’s answer: may be wrong, not advice', ...text.split('\n'));

type BrokenPlace = {
  what: string;
  reason: string;
  /** True if it will never work again. */
  isGone: boolean;
  /** The address of its section in Settings. */
  page: string;
};

/** A message about a broken chat or device, sent to the owner's others; `publicUrl` has no trailing slash. */
export const brokenMessage = (
  { what, reason, isGone, page }: BrokenPlace,
  publicUrl: string | null,
): ChatMessage => ({
  title: `Alerts don’t reach ${what}`,
  lines: [reason, ...(isGone ? [] : ['Bellbird tries again with your first alert after an hour.'])],
  link: publicUrl === null ? null : { text: 'Open Settings', url: `${publicUrl}/${page}` },
  page,
  buttons: [],
});

export const healedMessage = (): ChatMessage => note('Alerts come here again');

/** Title of the list of alerts, by which it differs from the message of one alert. */
export const ALERT_LIST_TITLE = 'Your alerts';

/** Limit of alerts in a list: that of buttons per message on each platform, and enough lines for a phone. */
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
  /** When an alert works whose conditions can only hold before the open; null for others. */
  whenOn(alert: Alert): string | null;
};

export function alertListReply(alerts: readonly Alert[], context: ListContext): ChatMessage {
  if (alerts.length === 0) {
    return note(ALERT_LIST_TITLE, 'You have no alerts yet. Create one in Bellbird under Watchlist & Alerts.');
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
  /** When the quote was made, epoch ms; null if unknown. */
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

/** Codes that start with the text, otherwise those that differ from it by one letter. */
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

export const unwatchedReply = (symbol: string): ChatMessage =>
  note(`${symbol} was removed from your watchlist`);

/** Asks for a confirmation, because the symbol's alerts are deleted too. */
export const alertsGoTooReply = (symbol: string, count: number): ChatMessage =>
  note(
    `${symbol} has ${count === 1 ? 'an alert' : `${count} alerts`}`,
    `${count === 1 ? 'It' : 'They'} would be deleted too. To confirm, send "/unwatch ${symbol} all".`,
  );
