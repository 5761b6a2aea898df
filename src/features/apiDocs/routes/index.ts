import type { RouteDescriptions } from '../description.ts';
import { ACCOUNTS } from './accounts.ts';
import { ADMINISTRATION } from './administration.ts';
import { ALERTS } from './alerts.ts';
import { CALENDAR } from './calendar.ts';
import { CALLS } from './calls.ts';
import { CHATS } from './chats.ts';
import { INDICATORS } from './indicators.ts';
import { MARKET } from './market.ts';
import { NEWS } from './news.ts';
import { SERVER } from './server.ts';
import { SETTINGS } from './settings.ts';

/** Every route in words; a test says which one lacks its own. */
export const DESCRIPTIONS: RouteDescriptions = {
  ...ACCOUNTS,
  ...SETTINGS,
  ...CHATS,
  ...MARKET,
  ...NEWS,
  ...CALENDAR,
  ...INDICATORS,
  ...ALERTS,
  ...CALLS,
  ...ADMINISTRATION,
  ...SERVER,
};
