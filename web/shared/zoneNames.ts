import { isTimeZone } from '#market/calendar/rules/days.ts';

/**
 * Renamed zones and their current names: the links "Alternate names for the same location" and "Two-part names that
 * were renamed" of the file `backward` in the time zone database (IANA, release 2026b, public domain), with the target
 * in its comments if there is one. Browsers accept both names, and many still list the old one.
 */
const RENAMED: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Knox_IN': 'America/Indiana/Knox',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'America/Virgin': 'America/St_Thomas',
  'Asia/Ashkhabad': 'Asia/Ashgabat',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Chungking': 'Asia/Chongqing',
  'Asia/Dacca': 'Asia/Dhaka',
  'Asia/Istanbul': 'Europe/Istanbul',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Macao': 'Asia/Macau',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Asia/Thimbu': 'Asia/Thimphu',
  'Asia/Ujung_Pandang': 'Asia/Makassar',
  'Asia/Ulan_Bator': 'Asia/Ulaanbaatar',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Europe/Nicosia': 'Asia/Nicosia',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Samoa': 'Pacific/Pago_Pago',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/**
 * Places that use the clock of another place: the links "Non-zone.tab locations" of the same file, and two that
 * browsers list for such a place. Browsers accept them but list few.
 */
const MORE_PLACES: readonly string[] = [
  'America/Atikokan',
  'America/Coral_Harbour',
  'America/Ensenada',
  'America/Fort_Wayne',
  'America/Montreal',
  'America/Nipigon',
  'America/Pangnirtung',
  'America/Porto_Acre',
  'America/Rainy_River',
  'America/Rosario',
  'America/Santa_Isabel',
  'America/Shiprock',
  'America/Thunder_Bay',
  'America/Yellowknife',
  'Antarctica/South_Pole',
  'Asia/Choibalsan',
  'Asia/Chongqing',
  'Asia/Harbin',
  'Asia/Kashgar',
  'Asia/Tel_Aviv',
  'Atlantic/Jan_Mayen',
  'Australia/Canberra',
  'Australia/Currie',
  'Europe/Belfast',
  'Europe/Tiraspol',
  'Europe/Uzhgorod',
  'Europe/Zaporozhye',
  'Pacific/Johnston',
  'Pacific/Kanton',
  'Pacific/Yap',
  'Africa/Timbuktu',
  'America/Atka',
  'America/Argentina/ComodRivadavia',
];

/** The current name of a zone; `zone` itself if this browser does not accept that name. */
export function currentZoneName(zone: string): string {
  const renamed = RENAMED[zone];
  return renamed !== undefined && isTimeZone(renamed) ? renamed : zone;
}

export const formerZoneNames = (zone: string): string[] =>
  Object.keys(RENAMED).filter((old) => RENAMED[old] === zone);

export const listedZones = (): string[] =>
  [...new Set(Intl.supportedValuesOf('timeZone').map(currentZoneName))].sort();

/** The zones that the browser lists, and more that it accepts. Many are near-duplicates. */
export const knownZones = (): string[] => [...new Set([...listedZones(), ...MORE_PLACES.filter(isTimeZone)])];

/** A zone's name for display: 'America/New York' for 'America/New_York'. */
export const zoneLabel = (zone: string): string => currentZoneName(zone).replaceAll('_', ' ');

/** The browser's zone; null if it reports none that it accepts. */
export function browserZone(): string | null {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone && isTimeZone(zone) ? currentZoneName(zone) : null;
}
