import {
  type AnnouncementKind,
  exDividendDate,
  KIND_LABELS,
  kindsOf,
} from '#subjects/announcements/rules/announcementKind.ts';

/** Events of companies that the calendar shows, in the order of their names. */
export const COMPANY_KINDS = ['halt', 'lifted', 'raising', 'exDividend'] as const;

export type CompanyKind = (typeof COMPANY_KINDS)[number];

const LABELS: Readonly<Record<CompanyKind | AnnouncementKind, string>> = {
  ...KIND_LABELS,
  exDividend: 'Ex-dividend',
};

/** As `companyEvent` of the answers. */
export type CompanyEvent = {
  id: string;
  kinds: CompanyKind[];
  code: string;
  /** Null if the stock is not listed. */
  name: string | null;
  headline: string;
  url: string | null;
  /** When it was announced, ISO 8601; null for an ex-dividend date. */
  time: string | null;
  /** YYYY-MM-DD; null for others. */
  date: string | null;
};

/** 'Halt lifted, capital raising'. */
export function companyEventText({ kinds }: Pick<CompanyEvent, 'kinds'>): string {
  const text = kinds.map((kind) => LABELS[kind].toLowerCase()).join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** An announcement that may state an event. */
export type Stated = Omit<CompanyEvent, 'kinds' | 'date' | 'time' | 'name'> & {
  announcementTypes: readonly string[];
  /** Release time, epoch ms. */
  time: number;
};

const eventOf = ({ id, code, headline, url }: Stated) => ({ id, code, headline, url });

/** A halt or raising that an announcement reports, at its release; null for others. */
export function releasedEvent(announcement: Stated): Omit<CompanyEvent, 'name'> | null {
  const { headline, announcementTypes, time } = announcement;
  const found: readonly string[] = kindsOf({ headline, announcementTypes: [...announcementTypes] });
  const kinds = COMPANY_KINDS.filter((kind) => found.includes(kind));
  if (kinds.length === 0) return null;
  return { ...eventOf(announcement), kinds, time: new Date(time).toISOString(), date: null };
}

/**
 * The ex-dividend dates that headlines state from a date on, one per stock and date.
 * @param announcements newest first, because the newest of a stock replaces an earlier one
 * @param from YYYY-MM-DD
 */
export function exDividendEvents(
  announcements: Iterable<Stated>,
  from: string,
): Omit<CompanyEvent, 'name'>[] {
  const byCode = new Map<string, Omit<CompanyEvent, 'name'> | null>();
  for (const announcement of announcements) {
    const date = exDividendDate(announcement.headline);
    if (date === null || byCode.has(announcement.code)) continue;
    const event = { ...eventOf(announcement), id: `ex ${announcement.id}`, kinds: ['exDividend' as const] };
    byCode.set(announcement.code, date < from ? null : { ...event, time: null, date });
  }
  return [...byCode.values()].filter((event) => event !== null);
}
