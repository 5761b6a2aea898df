import type { Core, Part } from '../part.ts';
import { createCalendarMemory } from '../subjects/calendar/server/memory/index.ts';
import type { CalendarPart, MarketParts } from './market.ts';
import type { RequestParts } from './people.ts';
import type { Runtime } from './runtime.ts';

/** What the calendar remembers: it looks at the market, which itself tells of the calendar. */
export const createMemoryParts = (
  core: Core,
  { clientAddress }: Runtime,
  { access: { auth, reads }, calendar, market, values }: RequestParts & CalendarPart & MarketParts,
) =>
  ({
    calendarMemory: createCalendarMemory(core, {
      auth,
      reads,
      clientAddress,
      calendar: calendar.service,
      market: market.service,
      past: values.service,
    }),
  }) satisfies Record<string, Part>;
