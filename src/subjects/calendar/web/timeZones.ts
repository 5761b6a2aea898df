import { SYDNEY } from '#lib/sydneyTime.ts';
import { isTimeZone } from '#market/calendar/rules/days.ts';
import {
  browserZone,
  currentZoneName,
  formerZoneNames,
  knownZones,
  listedZones,
} from '#web/shared/zoneNames.ts';

/** Limit of listed zones, because all 400 take half a second on a phone. */
const MAX_LISTED = 60;
/** Limit of a search; the longest zone name has 30 characters. */
const MAX_QUERY = 40;

/** The browser's zone, otherwise Australia/Sydney (specification, section 9). */
export const localZone = (): string => browserZone() ?? SYDNEY;

export const zoneOfLabel = (label: string): string => label.trim().replaceAll(' ', '_');

const offsetFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * Offset from UTC: 'UTC+10:30', 'UTC−05:00', 'UTC+00:00'.
 * @param zone an IANA name; throws a RangeError for others
 * @param now epoch ms
 */
export function zoneOffset(zone: string, now: number): string {
  let format = offsetFormats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-AU', { timeZone: zone, timeZoneName: 'longOffset' });
    offsetFormats.set(zone, format);
  }
  const name = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const offset = name.replace('GMT', '').replace('-', '−');
  return `UTC${offset === '' ? '+00:00' : offset}`;
}

/** Zones with the local zone, Sydney and UTC first. */
const withFirst = (local: string, zones: readonly string[]): string[] => [
  ...new Set([currentZoneName(local), SYDNEY, 'UTC', ...zones]),
];

const OFFSET = /^(?:utc|gmt)?([+−-])(\d{1,2})(?::(\d{2}))?$/;

/** An offset as typed, in the format of `zoneOffset`; null for other texts. '+5' matches any offset of five hours. */
function typedOffset(query: string): string | null {
  const [, sign, hours, minutes] = OFFSET.exec(query.replaceAll(' ', '')) ?? [];
  if (sign === undefined || hours === undefined) return null;
  return `UTC${sign === '+' ? '+' : '−'}${hours.padStart(2, '0')}:${minutes ?? ''}`;
}

/** Words of names in lower case: 'America/New_York' becomes 'america', 'new', 'york'. */
const wordsOf = (...texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.toLowerCase().split(/[ _/]/).filter(Boolean));

/** Whether each typed word begins a word of the zone's current or former names. */
function isNamed(zone: string, typed: readonly string[]): boolean {
  const words = wordsOf(zone, ...formerZoneNames(zone));
  return typed.every((word) => words.some((one) => one.startsWith(word)));
}

/**
 * Finds zones by parts of their current or former name in any order, or by an offset ('+5:30', 'UTC-3').
 * @param query empty for all zones
 * @param now time whose offsets count, epoch ms
 * @returns current IANA names, the local zone first; at most 60
 */
export function searchZones(query: string, local: string, now: number): string[] {
  const typed = query.trim().slice(0, MAX_QUERY).toLowerCase();
  const offset = typedOffset(typed);
  const words = wordsOf(typed);
  const found =
    offset === null
      ? withFirst(local, words.length === 0 ? listedZones() : knownZones()).filter((zone) =>
          isNamed(zone, words),
        )
      : withFirst(local, listedZones()).filter((zone) => zoneOffset(zone, now).startsWith(offset));
  const asTyped = zoneOfLabel(typed);
  if (found.length === 0 && isTimeZone(asTyped)) {
    return [
      currentZoneName(new Intl.DateTimeFormat('en-AU', { timeZone: asTyped }).resolvedOptions().timeZone),
    ];
  }
  return found.slice(0, MAX_LISTED);
}
