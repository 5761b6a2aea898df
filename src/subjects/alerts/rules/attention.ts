import { DAY_MS } from '#lib/units.ts';
import { addDays, fromSydney, sydneyDate, weekdayOf } from '#lib/sydneyTime.ts';
import type { ChatButton, ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import {
  CHAT_PLATFORMS,
  type ChatPlatform,
  PLATFORM_NAMES,
} from '#platform/chatClients/rules/chatPlatform.ts';
import { hasDevices } from '#subjects/devices/rules/device.ts';
import { formatShortDate } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';
import type { Destinations, Places } from './recipient.ts';
import { namedFew } from './manyAlerts.ts';

export const ALERT_KINDS = ['alert', 'scan'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export type CheckedAlert = {
  of: AlertKind;
  id: number;
  /** The alert's name in texts: 'BHP Breakout', 'Any stock enters Pre-Market Scan'. */
  called: string;
  symbol: string | null;
  /** True if the alert fires repeatedly, so that a longer cooldown helps. */
  repeats: boolean;
  cooldownMinutes: number;
  destinations: Destinations;
  /** A key of what the alert does without its destinations; equal for duplicates. */
  behaviour: string;
};

/** Reasons why alerts need attention, worst first. The names are stored as part of `Attention.key`. */
export const ATTENTION_KINDS = ['left', 'halted', 'broken', 'noisy', 'double'] as const;

export type Attention = {
  /** Identifies the alert and the reason. It is stored when the user dismisses the reason. */
  key: string;
  kind: (typeof ATTENTION_KINDS)[number];
  of: AlertKind;
  id: number;
  called: string;
  text: string;
  /** Suggested cooldown in minutes; null if a longer cooldown does not help. */
  cooldown: number | null;
  duplicateOf: number | null;
};

export type AttentionInput = {
  alerts: readonly CheckedAlert[];
  /** Firings on each of the last seven days whose triggers are all stored. */
  daysOf(alert: CheckedAlert): readonly FiredDay[];
  presenceOf(symbol: string): StockPresence | null;
  places: Places;
  dismissed: ReadonlySet<string>;
};

const keyOf = (kind: string, { of, id }: Pick<CheckedAlert, 'of' | 'id'>): string => `${kind} ${of} ${id}`;

type Reason = Pick<Attention, 'kind' | 'text'> & Partial<Attention>;

const attention = (alert: CheckedAlert, { kind, ...reason }: Reason): Attention => ({
  key: keyOf(kind, alert),
  kind,
  of: alert.of,
  id: alert.id,
  called: alert.called,
  cooldown: null,
  duplicateOf: null,
  ...reason,
});

const MISSING_DAYS = 5;
const HALTED_DAYS = 14;

function ofStock(alert: CheckedAlert, presence: StockPresence | null, today: string): Attention | null {
  if (presence === null) return null;
  const { missingSince, missingDays, haltedSince, renamedTo } = presence;
  if (missingSince !== null && missingDays >= MISSING_DAYS) {
    const since = formatShortDate(missingSince, today);
    const text =
      renamedTo === null
        ? `No longer listed since ${since}, for ${missingDays} trading days.`
        : `No longer listed since ${since}. ${renamedTo} now has the same company name.`;
    return attention(alert, { kind: 'left', text });
  }
  if (haltedSince === null) return null;
  const days = Math.round((Date.parse(today) - Date.parse(haltedSince)) / DAY_MS);
  if (days < HALTED_DAYS) return null;
  const text = `Halted or suspended for ${days} days, since ${formatShortDate(haltedSince, today)}.`;
  return attention(alert, { kind: 'halted', text });
}

/** `date` is YYYY-MM-DD in Sydney. */
type FiredDay = { date: string; fired: number };
/** A Sydney date, and its half-open span in epoch ms. */
export type DaySpan = { date: string; from: number; until: number };

/** An alert that fires more often on one day needs attention. */
const NOISY_TIMES = 20;
const NOISE_DAYS = 7;
/** Triggers per alert that are kept beyond `ALL_KEPT_MS`. */
const KEPT_TRIGGERS = 200;
const ALL_KEPT_MS = 2 * DAY_MS;

/** The days to check, oldest first. @param now epoch ms */
export function noiseDays(now: number): DaySpan[] {
  const today = sydneyDate(now);
  return Array.from({ length: NOISE_DAYS }, (_, index) => {
    const date = addDays(today, index + 1 - NOISE_DAYS);
    return { date, from: fromSydney(date, 0, 0), until: fromSydney(addDays(date, 1), 0, 0) };
  });
}

/**
 * Firings on each day whose triggers are all stored.
 * @param fired by date, without days that have no trigger
 * @param kept the number of stored triggers, and the time of the oldest
 */
export function knownDays(
  days: readonly DaySpan[],
  fired: ReadonlyMap<string, number>,
  kept: { kept: number; oldest: number } | null,
  now: number,
): FiredDay[] {
  const isWhole = kept === null || kept.kept < KEPT_TRIGGERS;
  return days
    .filter(({ from }) => isWhole || from >= kept.oldest || from >= now - ALL_KEPT_MS)
    .map(({ date }) => ({ date, fired: fired.get(date) ?? 0 }));
}

/** Suggested cooldowns in minutes. With half an hour, an alert on a stock fires at most 13 times in a session. */
const RAISED_COOLDOWNS = [30, 60, 120, 240];

function ofNoise(alert: CheckedAlert, days: readonly FiredDay[], today: string): Attention | null {
  const noisy = days.filter(({ fired }) => fired > NOISY_TIMES);
  const [first] = noisy;
  if (first === undefined) return null;
  const counts = noisy.map(({ fired }) => fired);
  const least = Math.min(...counts);
  const most = Math.max(...counts);
  const often = least === most ? `${most}` : `${least} to ${most}`;
  const of = days.length === NOISE_DAYS ? `the last ${NOISE_DAYS}` : `${days.length}`;
  const when =
    noisy.length === 1
      ? `${most} times on ${formatShortDate(first.date, today)}`
      : `${often} times a day on ${noisy.length} of ${of} days`;
  const cooldown = RAISED_COOLDOWNS.find((minutes) => minutes > alert.cooldownMinutes) ?? null;
  return attention(alert, {
    kind: 'noisy',
    text: `Fires too often: ${when}.`,
    cooldown: alert.repeats ? cooldown : null,
  });
}

/** @property isNamed whether destinations include this chat or device */
type BrokenPlace = { key: string; reason: string; isNamed(destinations: Destinations): boolean };

function chatTrouble(platform: ChatPlatform, chats: Places['chats']): string | null {
  const name = PLATFORM_NAMES[platform];
  const own = chats.filter((chat) => chat.platform === platform);
  if (own.length === 0) return `${name}: no chat is linked.`;
  const failing = own.filter(({ isConfirmed, brokenReason }) => !isConfirmed || brokenReason !== null);
  const [first] = failing;
  if (first === undefined) return null;
  const which =
    own.length === 1 ? `your ${name} chat` : `${failing.length} of your ${own.length} ${name} chats`;
  return `${which}: ${first.brokenReason ?? 'not confirmed yet.'}`;
}

function deviceTrouble({ devices }: Places): BrokenPlace[] {
  const failing = devices.flatMap(({ id, name, trouble }): BrokenPlace[] =>
    trouble === null
      ? []
      : [
          {
            key: `device ${id}`,
            reason: `${name}: ${trouble}`,
            isNamed: ({ devices: chosen }) => chosen === 'all' || chosen.includes(id),
          },
        ],
  );
  const ids = new Set(devices.map(({ id }) => id));
  const areGone = ({ devices: chosen }: Destinations): boolean =>
    hasDevices(chosen) && (chosen === 'all' ? ids.size === 0 : chosen.every((id) => !ids.has(id)));
  return [...failing, { key: 'devices', reason: 'devices: none is registered.', isNamed: areGone }];
}

const brokenPlaces = (places: Places): BrokenPlace[] => [
  ...CHAT_PLATFORMS.flatMap((platform): BrokenPlace[] => {
    const reason = chatTrouble(platform, places.chats);
    return reason === null ? [] : [{ key: platform, reason, isNamed: (named) => named[platform] }];
  }),
  ...deviceTrouble(places),
];

const MAX_REASON = 120;

const undelivered = ({ alerts, places }: AttentionInput): Attention[] =>
  brokenPlaces(places)
    .map((place) => ({ ...place, kind: `broken ${place.key}` }))
    .flatMap(({ kind, reason, isNamed }) =>
      alerts
        .filter(({ destinations }) => isNamed(destinations))
        .map((alert) =>
          attention(alert, {
            key: keyOf(kind, alert),
            kind: 'broken',
            text: plainLine(`Not delivered to ${reason}`, MAX_REASON),
          }),
        ),
    );

const duplicates = (alerts: readonly CheckedAlert[]): Attention[] =>
  [...Map.groupBy(alerts, ({ of, behaviour }) => `${of} ${behaviour}`).values()].flatMap((same) => {
    const [oldest, ...others] = same.toSorted((a, b) => a.id - b.id);
    if (oldest === undefined) return [];
    return others.map((alert) =>
      attention(alert, {
        key: `${keyOf('double', oldest)}, ${alert.of} ${alert.id}`,
        kind: 'double',
        text: `Duplicate of the older alert ${oldest.called}.`,
        duplicateOf: oldest.id,
      }),
    );
  });

/** @param now epoch ms by the wall clock @returns worst first; an alert may have several reasons */
export function needsAttention(input: AttentionInput, now: number): Attention[] {
  const { alerts, presenceOf, daysOf, dismissed } = input;
  const today = sydneyDate(now);
  const own = alerts.flatMap((alert) => [
    ofStock(alert, alert.symbol === null ? null : presenceOf(alert.symbol), today),
    ofNoise(alert, daysOf(alert), today),
  ]);
  return [...own, ...undelivered(input), ...duplicates(alerts)]
    .filter((one) => one !== null)
    .filter(({ key }) => !dismissed.has(key))
    .sort((a, b) => ATTENTION_KINDS.indexOf(a.kind) - ATTENTION_KINDS.indexOf(b.kind));
}

export const attentionCount = (reasons: readonly Pick<Attention, 'of' | 'id'>[]): number =>
  new Set(reasons.map(({ of, id }) => `${of} ${id}`)).size;

export const MAX_DISMISSED = 100;

const SATURDAY = 6;
const HOUR = 10;
/** The weekly message may be sent on Saturday or Sunday, in case the server was off on Saturday morning. */
const DAYS_LATE = 2;

/** The Saturday whose message is due: from 10:00 in Sydney to the end of Sunday. */
export function dueWeek(now: number): string | null {
  const today = sydneyDate(now);
  for (let back = 0; back < DAYS_LATE; back += 1) {
    const date = addDays(today, -back);
    if (weekdayOf(date) === SATURDAY) return now >= fromSydney(date, HOUR, 0) ? date : null;
  }
  return null;
}

const WEEK_DAYS = 7;

/**
 * Whether the weekly message was sent. A date far in the future comes from a wrong clock and does not block the
 * message.
 * @param notified the last Saturday whose message was sent, YYYY-MM-DD
 */
export const wasNotified = (notified: string | null, week: string): boolean =>
  notified !== null && notified >= week && notified <= addDays(week, WEEK_DAYS);

const MAX_LINES = 8;
const MAX_LINE = 200;
const MAX_BUTTONS = 3;
const MAX_LABEL = 30;

export const ATTENTION_PATH = '/watchlist/alerts/attention';

export const isWeeklyMessage = ({ title }: Pick<ChatMessage, 'title'>): boolean =>
  /needs? attention$/.test(title);

const pauseButton = ({ of, id, called }: Attention): ChatButton => ({
  action: of === 'alert' ? 'off' : 'scanoff',
  target: id,
  label: `Pause ${plainLine(called, MAX_LABEL)}`,
});

/**
 * @param reasons at least one; alerts with the same reason share a line
 * @param publicUrl without a trailing slash; null without a public address
 */
export function weeklyMessage(reasons: readonly Attention[], publicUrl: string | null): ChatMessage {
  const lines = [...Map.groupBy(reasons, ({ text }) => text)].map(([text, same]) =>
    plainLine(`${namedFew(same.map(({ called }) => called))}: ${text}`, MAX_LINE),
  );
  const more = lines.length - MAX_LINES;
  const count = attentionCount(reasons);
  const alerts = new Map(reasons.map((one) => [`${one.of} ${one.id}`, one]));
  return {
    title: count === 1 ? '1 alert needs attention' : `${count} alerts need attention`,
    lines: [...lines.slice(0, MAX_LINES), ...(more > 0 ? [`And ${more} more.`] : [])],
    link: publicUrl === null ? null : { text: 'Show these alerts', url: `${publicUrl}/#${ATTENTION_PATH}` },
    page: `#${ATTENTION_PATH}`,
    buttons: [...alerts.values()].slice(0, MAX_BUTTONS).map(pauseButton),
  };
}

const isOfScan = ({ action }: Pick<ChatButton, 'action'>): boolean => action.startsWith('scan');
const nameOn = (label: string): string => label.replace(/^(?:Pause|Resume) /, '');

/** The weekly message after a button was pressed, with the result and a button that undoes it. */
export function answeredWeekly(
  shown: ChatMessage,
  pressed: Pick<ChatButton, 'action' | 'target'>,
  answer: string,
): ChatMessage {
  const isScan = isOfScan(pressed);
  const isPressed = (button: ChatButton): boolean =>
    button.target === pressed.target && isOfScan(button) === isScan;
  const called = nameOn(shown.buttons.find(isPressed)?.label ?? '');
  const [action, word] = pressed.action.endsWith('off')
    ? ([isScan ? 'scanon' : 'on', 'Resume'] as const)
    : ([isScan ? 'scanoff' : 'off', 'Pause'] as const);
  const buttons = shown.buttons.map((button) =>
    isPressed(button) ? { ...button, action, label: `${word} ${called}` } : button,
  );
  return { ...shown, lines: [...shown.lines, `→ ${called}: ${answer}`], buttons };
}

/** Dates are YYYY-MM-DD in Sydney. */
export type PresenceRow = {
  symbol: string;
  /** The company's name when the stock was last listed; empty if this source never listed it. */
  company: string;
  lookedOn: string;
  missingSince: string | null;
  missingDays: number;
  haltedSince: string | null;
};

/** Dates are YYYY-MM-DD in Sydney. */
export type StockPresence = {
  missingSince: string | null;
  missingDays: number;
  haltedSince: string | null;
  renamedTo: string | null;
};

/** A stock in one session; null if it is not listed. */
export type SeenStock = { company: string; isHalted: boolean } | null;

export function afterSession(
  before: PresenceRow | null,
  symbol: string,
  seen: SeenStock,
  date: string,
): PresenceRow {
  const company = before?.company ?? '';
  const listed = { symbol, lookedOn: date, missingSince: null, missingDays: 0 };
  if (seen !== null) {
    const haltedSince = seen.isHalted ? (before?.haltedSince ?? date) : null;
    return { ...listed, company: seen.company || symbol, haltedSince };
  }
  // Each source has its own stocks. A stock that this source never listed has not left it.
  if (company === '') return { ...listed, company, haltedSince: null };
  return {
    symbol,
    company,
    lookedOn: date,
    missingSince: before?.missingSince ?? date,
    missingDays: (before?.missingDays ?? 0) + 1,
    haltedSince: before?.haltedSince ?? null,
  };
}

/** Number of sessions whose list sizes are stored. */
export const REMEMBERED_SIZES = 5;
const WHOLE_SHARE = 0.9;

/** Whether a list is complete, so that a missing stock has left it. @param sizes of the last sessions */
export const isWholeList = (size: number, sizes: readonly number[]): boolean =>
  size > 0 && size >= WHOLE_SHARE * Math.max(0, ...sizes);
