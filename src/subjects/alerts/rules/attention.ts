import { addDays, fromSydney, sydneyDate } from '#market/rules/sydneyTime.ts';
import {
  CHAT_PLATFORMS,
  type ChatPlatform,
  PLATFORM_NAMES,
} from '#platform/chatClients/rules/chatPlatform.ts';
import { hasDevices } from '#subjects/devices/rules/device.ts';
import { formatShortDate } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';
import type { Destinations } from './alert.ts';
import type { Places } from './recipient.ts';
import type { StockPresence } from './stockPresence.ts';

/** Alerts on stocks and on whole scans; ids count again in each kind. */
export const ALERT_KINDS = ['alert', 'scan'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** An alert that is on, as it is checked. */
export type CheckedAlert = {
  of: AlertKind;
  id: number;
  /** 'BHP Breakout', 'Any stock enters Pre-Market Scan'. */
  called: string;
  /** Null for an alert on a scan. */
  symbol: string | null;
  /** It fires again and again, so a longer cooldown helps. */
  repeats: boolean;
  cooldownMinutes: number;
  destinations: Destinations;
  /** The same text for duplicates, wherever they are sent. */
  says: string;
};

/** Why an alert needs attention, the worst first. The names are stored as part of `Attention.key`. */
export const ATTENTION_KINDS = ['left', 'halted', 'broken', 'noisy', 'double'] as const;

/** One reason why one alert needs attention. */
export type Attention = {
  /** Names the alert and the reason. Stored when the reason is dismissed. */
  key: string;
  kind: (typeof ATTENTION_KINDS)[number];
  of: AlertKind;
  id: number;
  called: string;
  /** The reason as one short sentence. */
  text: string;
  /** Minutes to raise the cooldown to; null if that does not help. */
  cooldown: number | null;
  /** The id of the older alert that this one duplicates; null for none. */
  duplicateOf: number | null;
};

export type AttentionInput = {
  alerts: readonly CheckedAlert[];
  /** How often an alert fired on each of the last seven days that are known in full. */
  daysOf(alert: CheckedAlert): readonly FiredDay[];
  presenceOf(symbol: string): StockPresence | null;
  /** The chats and devices of the alerts' owner. */
  places: Places;
  /** Keys of reasons that the owner dismissed. */
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

const DAY_MS = 24 * 3_600_000;
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
        : `No longer listed since ${since}. ${renamedTo} has the same company name now.`;
    return attention(alert, { kind: 'left', text });
  }
  if (haltedSince === null) return null;
  const days = Math.round((Date.parse(today) - Date.parse(haltedSince)) / DAY_MS);
  if (days < HALTED_DAYS) return null;
  const text = `Halted or suspended for ${days} days, since ${formatShortDate(haltedSince, today)}.`;
  return attention(alert, { kind: 'halted', text });
}

/** How often an alert fired on a day of Sydney, YYYY-MM-DD. */
export type FiredDay = { date: string; fired: number };
/** A day of Sydney, YYYY-MM-DD: from a moment on, until before another, epoch ms. */
export type DaySpan = { date: string; from: number; until: number };

/** An alert that fires more often on one day fires too often. */
const NOISY_TIMES = 20;
/** Days that are checked, today included. */
const NOISE_DAYS = 7;
/** Triggers that are kept of an alert for longer than `ALL_KEPT_MS`. */
const KEPT_TRIGGERS = 200;
const ALL_KEPT_MS = 2 * DAY_MS;

/** The days that are checked for noise, oldest first. @param now epoch ms */
export function noiseDays(now: number): DaySpan[] {
  const today = sydneyDate(now);
  return Array.from({ length: NOISE_DAYS }, (_, index) => {
    const date = addDays(today, index + 1 - NOISE_DAYS);
    return { date, from: fromSydney(date, 0, 0), until: fromSydney(addDays(date, 1), 0, 0) };
  });
}

/**
 * How often an alert fired on each of the days that are known in full.
 * @param fired by date; days without a trigger are left out @param kept how many triggers of it there are, and when the oldest was
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

/** Cooldowns that are offered, minutes. With half an hour an alert on a stock fires 13 times in a session at most. */
const RAISED_COOLDOWNS = [30, 60, 120, 240];

function ofNoise(alert: CheckedAlert, days: readonly FiredDay[], today: string): Attention | null {
  const noisy = days.filter(({ fired }) => fired > NOISY_TIMES);
  const [first] = noisy;
  if (first === undefined) return null;
  const counts = noisy.map(({ fired }) => fired);
  const least = Math.min(...counts);
  const most = Math.max(...counts);
  const often = least === most ? `${most}` : `${least} to ${most}`;
  // Of an alert that fires all the time, older days are not kept in full.
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

/** Where messages do not arrive. @property isNamed whether what is sent there is of these destinations */
type BrokenPlace = { key: string; reason: string; isNamed(destinations: Destinations): boolean };

/** Why nothing, or not everything, arrives on a platform; null if all of its chats work. */
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

/** The chats and devices that take no messages. */
const brokenPlaces = (places: Places): BrokenPlace[] => [
  ...CHAT_PLATFORMS.flatMap((platform): BrokenPlace[] => {
    const reason = chatTrouble(platform, places.chats);
    return reason === null ? [] : [{ key: platform, reason, isNamed: (named) => named[platform] }];
  }),
  ...deviceTrouble(places),
];

const MAX_REASON = 120;

const undelivered = ({ alerts, places, dismissed }: AttentionInput): Attention[] =>
  brokenPlaces(places)
    .map((place) => ({ ...place, kind: `broken ${place.key}` }))
    // Older versions dismissed a chat or device for all alerts at once.
    .filter(({ kind }) => !dismissed.has(kind))
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

/** All alerts that say the same but the oldest. */
const duplicates = (alerts: readonly CheckedAlert[]): Attention[] =>
  [...Map.groupBy(alerts, ({ of, says }) => `${of} ${says}`).values()].flatMap((same) => {
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

/**
 * The alerts that need attention, with the reasons.
 * @param now epoch ms by the wall clock
 * @returns the worst first; an alert may have several
 */
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

/** How many alerts these reasons are of. */
export const attentionCount = (reasons: readonly Pick<Attention, 'of' | 'id'>[]): number =>
  new Set(reasons.map(({ of, id }) => `${of} ${id}`)).size;

/** Reasons that are dismissed with one request. */
export const MAX_DISMISSED = 100;
