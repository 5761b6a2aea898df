import { isTimeZone } from '#market/calendar/rules/days.ts';

/**
 * Zones that were renamed, and their names of today: the links "Alternate names for the same location" and "Two-part names
 * that were renamed" of the file `backward` in the time zone database (IANA, release 2026b, in the public domain), with the
 * target in its comments where it has one. Browsers take both names and many still list the old one.
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
 * Places whose clocks are those of another place: the links "Non-zone.tab locations" of the same file, and two that
 * browsers list under such a place. Browsers take them and list few of them.
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

/** A zone's current name, or `zone` itself if this browser does not accept the current name. */
export function currentZoneName(zone: string): string {
  const renamed = RENAMED[zone];
  return renamed !== undefined && isTimeZone(renamed) ? renamed : zone;
}

/** The names that a zone had before. */
export const formerZoneNames = (zone: string): string[] =>
  Object.keys(RENAMED).filter((old) => RENAMED[old] === zone);

/** Every zone that this browser lists, by its name of today, in the order of names. */
export const listedZones = (): string[] =>
  [...new Set(Intl.supportedValuesOf('timeZone').map(currentZoneName))].sort();

/** Every zone that this browser takes: more than it lists, which makes a long list of near doubles. */
export const knownZones = (): string[] => [...new Set([...listedZones(), ...MORE_PLACES.filter(isTimeZone)])];

/** 'America/New_York' as it is read: 'America/New York'. */
export const zoneLabel = (zone: string): string => currentZoneName(zone).replaceAll('_', ' ');

/** The zone of this browser by its name of today; null when it does not say one that it takes. */
export function browserZone(): string | null {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone && isTimeZone(zone) ? currentZoneName(zone) : null;
}
