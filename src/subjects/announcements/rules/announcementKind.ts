import type { Announcement } from '#market/rules/stock.ts';
import { addDays } from '#lib/sydneyTime.ts';

/** What traders filter announcements by, in the order of the choices. An announcement has none, one or several. */
export const ANNOUNCEMENT_KINDS = [
  'halt',
  'lifted',
  'raising',
  'takeover',
  'quarterly',
  'results',
  'guidance',
  'dividend',
] as const;

export type AnnouncementKind = (typeof ANNOUNCEMENT_KINDS)[number];

export const KIND_LABELS: Readonly<Record<AnnouncementKind, string>> = {
  halt: 'Trading halt',
  lifted: 'Halt lifted',
  raising: 'Capital raising',
  takeover: 'Takeover',
  quarterly: 'Quarterly',
  results: 'Results',
  guidance: 'Guidance',
  dividend: 'Dividend',
};

/** The exchange's types, in lower case with plain apostrophes. */
const OF_TYPE: Readonly<Record<AnnouncementKind, RegExp>> = {
  halt: /^(trading halt( request)?|suspension from official quotation|suspension - extension)$/,
  lifted: /^(trading halt lifted|reinstatement to official quotation)$/,
  raising: /^(placement|security purchase plan|(non-)?renounceable issue|issues to the public)$/,
  takeover:
    /^(takeover\b|off-market bid\b|(supplementary )?(bidder|target)'s statement\b|(scheme of arrangement|indicative non-binding proposal|intention to make takeover bid|variation of takeover bid|directors' statement re takeover)$)/,
  quarterly:
    /^(commitments test entity\b|((first|second|third|fourth) quarter|quarterly) (activit(y|ies)|cash ?flow) report$)/,
  results: /^(half yearly report|preliminary final report|(half|full) year accounts)$/,
  guidance: /^(profit guidance|trading update)$/,
  dividend: /^(dividend - |(dividend (rate|pay date|record date)|(dividend|distribution) announcement)$)/,
};

/** Phrases of a headline, in lower case. They decide only if the source states no type. */
const OF_HEADLINE: Readonly<Record<AnnouncementKind, RegExp>> = {
  halt: /\b(trading halt|pause in trading|voluntary suspension|suspension from (official )?quotation)\b/,
  lifted: /\b(trading halt lifted|reinstatement to (official )?quotation|resumption of trading)\b/,
  raising:
    /\b((capital|equity) rais(e|ing)|share placement|placement|entitlement offer|rights issue|(share|security) purchase plan)\b/,
  takeover: /\b(takeover|scheme of arrangement|(bidder|target)'?s'? statement|non-binding proposal)\b/,
  quarterly: /\b(quarterly (report|activit(y|ies)|cash ?flow)|appendix [45][bc])\b/,
  results:
    /\b((half|full)[ -]year(ly)? (results?|report|accounts)|preliminary final report|appendix 4[de])\b/,
  guidance: /\b((profit|earnings) guidance|trading update)\b/,
  dividend:
    /^dividend\/distribution\b|\b(dividend|distribution) (rate|dates?|details|declared)\b|\bex[ -](dividend|distribution)\b/,
};

const plain = (text: string): string => text.toLowerCase().replaceAll('’', "'").trim();

/** The kinds of an announcement, by the types that the source states, otherwise by its headline. */
export function kindsOf({
  headline,
  announcementTypes,
}: Pick<Announcement, 'headline' | 'announcementTypes'>): AnnouncementKind[] {
  if (announcementTypes.length > 0) {
    const types = announcementTypes.map(plain);
    return ANNOUNCEMENT_KINDS.filter((kind) => types.some((type) => OF_TYPE[kind].test(type)));
  }
  const text = plain(headline);
  const found = ANNOUNCEMENT_KINDS.filter((kind) => OF_HEADLINE[kind].test(text));
  // "Trading Halt Lifted" contains "Trading Halt".
  return found.includes('lifted') ? found.filter((kind) => kind !== 'halt') : found;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** 'Ex-dividend 4 December 2026', 'Ex date: 04/12/2026'. */
const EX_DATE =
  /\bex[ -]?(?:dividend|distribution|div|date)\b[ -]{0,2}(?:date\b)?[\s:,–-]{0,3}(?:is |on |of )?(\d{1,2})[ /.-]([a-z]{3,9}|\d{1,2})[ /.,-]{1,2}(\d{4})\b/i;

/**
 * The ex-dividend date that a headline states, YYYY-MM-DD; null if it states none. A date without its year does not
 * count, because the year would be a guess.
 */
export function exDividendDate(headline: string): string | null {
  const [, day = '', month = '', year = ''] = EX_DATE.exec(headline) ?? [];
  const named = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const number = named > 0 ? named : Number(month);
  const date = `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
  // The 31st of a shorter month would move to the next one.
  return !Number.isNaN(Date.parse(date)) && addDays(date, 0) === date ? date : null;
}
