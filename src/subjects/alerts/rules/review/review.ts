import { formatShortDate } from '#texts/format.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { plainLine } from '#texts/plainText.ts';
import { UNTIL_OPEN } from '../untilOpen.ts';
import { type Destinations, NOWHERE } from '../alert.ts';
import { brokenPlaces, type Places } from './brokenPlaces.ts';
import { type Finding, FINDING_KINDS, type FoundAlert } from './finding.ts';
import { noisyText, raisedCooldown, type FiredDay } from './noise.ts';

/** An alert that is on, as a review looks at it. Times are epoch ms by the wall clock. */
export type ReviewedAlert = FoundAlert & {
  /** It fires again and again, so that a cooldown means something. */
  repeats: boolean;
  createdAt: number;
  /** When a person changed it last. */
  changedAt: number;
  lastFiredAt: number | null;
  cooldownMinutes: number;
  destinations: Destinations;
  /** Its conditions can only hold before the open. */
  isUntilOpen: boolean;
  /** The same text for alerts that say the same, wherever they are sent. */
  says: string;
};

/** What was seen of a stock that alerts are on. Dates are those of Sydney, YYYY-MM-DD. */
export type StockPresence = {
  missingSince: string | null;
  /** Sessions in a row. */
  missingDays: number;
  haltedSince: string | null;
  /** A listed stock whose company is called the same; null for none. */
  renamedTo: string | null;
};

export type ReviewInput = {
  alerts: readonly ReviewedAlert[];
  /** How often an alert fired on each of the last seven days that are known in full. */
  daysOf(alert: ReviewedAlert): readonly FiredDay[];
  presenceOf(symbol: string): StockPresence | null;
  /** The chats and devices of the alerts' owner. */
  places: Places;
  /** Whether most of the sessions of the last 30 days were seen: else silence means nothing. */
  hasSeenMost: boolean;
  /** Keys of findings that the owner keeps as they are. */
  kept: ReadonlySet<string>;
};

const DAY_MS = 24 * 3_600_000;
export const SILENT_MS = 30 * DAY_MS;
export const MISSING_DAYS = 5;
const HALTED_DAYS = 14;
const MAX_REASON = 120;

const keyOf = (kind: Finding['kind'], alerts: readonly FoundAlert[]): string =>
  `${kind} ${alerts.map(({ of, id }) => `${of} ${id}`).join(', ')}`;

const refOf = ({ of, id, called, symbol }: FoundAlert): FoundAlert => ({ of, id, called, symbol });

type Told = Pick<Finding, 'kind' | 'text' | 'presses'> & Partial<Pick<Finding, 'cooldown' | 'key'>>;

const finding = (alerts: readonly FoundAlert[], { key, cooldown = null, ...told }: Told): Finding => ({
  ...told,
  key: key ?? keyOf(told.kind, alerts),
  alerts: alerts.map(refOf),
  cooldown,
});

/** Its stock left the list, has another code, or is halted for weeks; null for none of these. */
function ofStock(alert: ReviewedAlert, presence: StockPresence, now: number): Finding | null {
  const today = sydneyDate(now);
  const day = (date: string): string => formatShortDate(date, today);
  const { missingSince, missingDays, haltedSince, renamedTo } = presence;
  const presses = ['pause', 'delete'] as const;
  if (missingSince !== null && missingDays >= MISSING_DAYS) {
    const gone = `${alert.symbol} left the list of prices on ${day(missingSince)}`;
    const text =
      renamedTo === null
        ? `${gone} and was not there on ${missingDays} trading days.`
        : `${gone}. ${renamedTo} has the same company name now.`;
    return finding([alert], { kind: 'left', text, presses });
  }
  if (haltedSince === null) return null;
  const days = Math.round((Date.parse(today) - Date.parse(haltedSince)) / DAY_MS);
  if (days < HALTED_DAYS) return null;
  const text = `${alert.symbol} has not traded since ${day(haltedSince)}: halted or suspended for ${days} days.`;
  return finding([alert], { kind: 'halted', text, presses });
}

function ofNoise(alert: ReviewedAlert, days: readonly FiredDay[], now: number): Finding | null {
  const text = noisyText(days, sydneyDate(now));
  if (text === null) return null;
  const to = alert.repeats ? raisedCooldown(alert.cooldownMinutes) : null;
  return finding([alert], {
    kind: 'noisy',
    text,
    presses: [...(to === null ? [] : (['cooldown'] as const)), 'pause', 'delete'],
    cooldown: to === null ? null : { from: alert.cooldownMinutes, to },
  });
}

function ofSilence(alert: ReviewedAlert, now: number): Finding | null {
  const { createdAt, changedAt, lastFiredAt, isUntilOpen } = alert;
  const before = now - SILENT_MS;
  if (Math.max(createdAt, changedAt, lastFiredAt ?? 0) > before) return null;
  const day = (time: number): string => formatShortDate(sydneyDate(time), sydneyDate(now));
  const silence =
    lastFiredAt === null
      ? `Never fired since it was made on ${day(createdAt)}.`
      : `Fired last on ${day(lastFiredAt)}, and not once in the last 30 days.`;
  const text = isUntilOpen ? `${silence} It is on only ${UNTIL_OPEN} each day.` : silence;
  return finding([alert], { kind: 'silent', text, presses: ['pause', 'delete'] });
}

const isSent = ({ destinations: { telegram, discord, devices } }: ReviewedAlert): boolean =>
  telegram || discord || devices === 'all' || devices.length > 0;

/** Chats and devices that take nothing, each with all alerts that are sent there. */
function ofPlaces(alerts: readonly ReviewedAlert[], places: Places): Finding[] {
  return brokenPlaces(places).flatMap(({ key, isNamed, reason }) => {
    const own = alerts.filter((alert) => isSent(alert) && isNamed(alert.destinations));
    if (own.length === 0) return [];
    const count = own.length === 1 ? 'One alert is' : `${own.length} alerts are`;
    const text = `${plainLine(reason, MAX_REASON)} ${count} sent there.`;
    return [finding(own, { key: `broken ${key}`, kind: 'broken', text, presses: ['pause', 'delete'] })];
  });
}

/** Alerts that say the same: the oldest stays. */
function doubles(alerts: readonly ReviewedAlert[], now: number): Finding[] {
  const groups = Map.groupBy(alerts, ({ of, says }) => `${of} ${says}`);
  return [...groups.values()].flatMap((same) => {
    const [stays, ...others] = same.toSorted((a, b) => a.id - b.id);
    if (stays === undefined || others.length === 0) return [];
    const made = formatShortDate(sydneyDate(stays.createdAt), sydneyDate(now));
    const times = same.length === 2 ? 'Two alerts say' : `${same.length} alerts say`;
    const rest = others.length === 1 ? 'the other is' : 'the others are';
    const text = `${times} the same. Merged, the one made on ${made} stays and is also sent where ${rest} sent.`;
    return [finding([stays, ...others], { kind: 'double', text, presses: ['merge'] })];
  });
}

/**
 * What to look at among a person's alerts: those whose stock is gone or rests, whose chat takes nothing, that fire too often or
 * never, or say what another one says.
 * @param input alerts that are on
 * @param now epoch ms by the wall clock
 * @returns the worst first; one alert may be in several
 */
export function reviewAlerts(input: ReviewInput, now: number): Finding[] {
  const { alerts, presenceOf, daysOf, places, hasSeenMost, kept } = input;
  const found = alerts.flatMap((alert) => {
    const presence = alert.symbol === null ? null : presenceOf(alert.symbol);
    const stock = presence && ofStock(alert, presence, now);
    const noise = ofNoise(alert, daysOf(alert), now);
    // What its stock explains is not told as its own silence.
    const silence = stock === null && hasSeenMost ? ofSilence(alert, now) : null;
    return [stock, noise, silence].filter((one) => one !== null);
  });
  const all = [...found, ...ofPlaces(alerts, places), ...doubles(alerts, now)];
  return all
    .filter(({ key }) => !kept.has(key))
    .sort((a, b) => FINDING_KINDS.indexOf(a.kind) - FINDING_KINDS.indexOf(b.kind));
}

/** Where an alert is sent that takes the place of several. */
export const joinedDestinations = (all: readonly Destinations[]): Destinations =>
  all.reduce(
    (joined, { telegram, discord, devices }) => ({
      telegram: joined.telegram || telegram,
      discord: joined.discord || discord,
      devices:
        joined.devices === 'all' || devices === 'all' ? 'all' : [...new Set([...joined.devices, ...devices])],
    }),
    NOWHERE,
  );
