import { SYDNEY } from '../../../market/rules/sydneyTime.ts';
import { isTimeZone } from '../rules/days.ts';

/** This many are listed at once: a list of all 400 takes a phone half a second. */
const MAX_LISTED = 60;
/** The longest name of a zone has 30 characters. */
const MAX_QUERY = 40;

/** The zone of this browser, else Australia/Sydney (specification, section 9). */
export function localZone(): string {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone && isTimeZone(zone) ? zone : SYDNEY;
}

/** 'America/New_York' as it is read: 'America/New York'. */
export const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ');
export const zoneOfLabel = (label: string): string => label.trim().replaceAll(' ', '_');

const offsetFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * How far a zone's clocks are from UTC at a moment: 'UTC+10:30', 'UTC−05:00', 'UTC+00:00'.
 * @param zone an IANA name; throws a RangeError when it is none
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

/** Every zone that the browser knows: the local one, Sydney and UTC first, then by name. */
function allZones(local: string): string[] {
  return [...new Set([local, SYDNEY, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}

const OFFSET = /^(?:utc|gmt)?([+−-])(\d{1,2})(?::(\d{2}))?$/;

/** What the offset that was typed looks like in `zoneOffset`; null for other texts. '+5' is any of five hours. */
function typedOffset(query: string): string | null {
  const [, sign, hours, minutes] = OFFSET.exec(query.replaceAll(' ', '')) ?? [];
  if (sign === undefined || hours === undefined) return null;
  return `UTC${sign === '+' ? '+' : '−'}${hours.padStart(2, '0')}:${minutes ?? ''}`;
}

/** The words of a name and of what is typed: 'america', 'new', 'york'. */
const wordsOf = (text: string): string[] => text.toLowerCase().split(/[ _/]/).filter(Boolean);

/**
 * Zones by what was typed: parts of the name in any order, or an offset ('+5:30', 'UTC-3'). A name that the browser
 * takes and does not list ('Asia/Kolkata' in some) is found too.
 * @param query empty for all
 * @param now the moment whose offsets count, epoch ms
 * @returns IANA names, the local zone first; at most 60
 */
export function searchZones(query: string, local: string, now: number): string[] {
  const typed = query.trim().slice(0, MAX_QUERY).toLowerCase();
  const offset = typedOffset(typed);
  const words = wordsOf(typed);
  const found = allZones(local).filter((zone) =>
    offset === null
      ? words.every((word) => wordsOf(zone).some((part) => part.startsWith(word)))
      : zoneOffset(zone, now).startsWith(offset),
  );
  const asTyped = zoneOfLabel(typed);
  if (found.length === 0 && isTimeZone(asTyped)) {
    return [new Intl.DateTimeFormat('en-AU', { timeZone: asTyped }).resolvedOptions().timeZone];
  }
  return found.slice(0, MAX_LISTED);
}
