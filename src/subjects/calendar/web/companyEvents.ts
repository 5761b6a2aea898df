import { type CalendarEvent, emptyEvent } from '#market/calendar/rules/calendarEvent.ts';
import { readerOf, request } from '#web/api/client.ts';
import { companyEventsAnswer } from '../answers/calendar.ts';
import { type CompanyEvent, companyEventText } from '../rules/companyEvents.ts';

/** A row of the calendar: an economic event, or an event of a company with the same members. */
export type CalendarRow = CalendarEvent & { company?: CompanyEvent };

/** @throws ApiError */
export async function fetchCompanyEvents(): Promise<CalendarRow[]> {
  const read = readerOf(companyEventsAnswer);
  const { events } = await request('GET /api/calendar/company-events', { read });
  return events.map(rowOfCompany);
}

function rowOfCompany(company: CompanyEvent): CalendarRow {
  const { id, code, time, date } = company;
  return {
    ...emptyEvent(`company ${code} ${id}`),
    dateUtc: time ?? `${date}T00:00:00Z`,
    countryCode: 'AU',
    currencyCode: 'AUD',
    name: `${code} ${companyEventText(company)}`,
    isAllDay: time === null,
    isReport: true,
    company,
  };
}
