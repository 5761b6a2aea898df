import type { RouteContracts } from '../../texts/routeContract.ts';
import { AUDIT } from '../../admin/audit/contract.ts';
import { ACCOUNTS } from '../../subjects/accounts/contract.ts';
import { WATCHLIST } from '../../subjects/alerts/contract.ts';
import { NEWS } from '../../subjects/announcements/contract.ts';
import { CALENDAR } from '../../subjects/calendar/contract.ts';
import { CALLS } from '../../subjects/calls/contract.ts';
import { CHATS } from '../../subjects/chats/contract.ts';
import { STOCK } from '../../subjects/stock/contract.ts';
import { QUOTE_SITE } from '../../subjects/settings/contract.ts';
import { describedBy, type RouteDescriptions } from '../description.ts';
import { ADMINISTRATION } from './administration.ts';
import { ALERTS } from './alerts.ts';
import { CHANNELS } from './channels.ts';
import { HOSTING } from './hosting.ts';
import { INDICATORS } from './indicators.ts';
import { MARKET } from './market.ts';
import { REPLAY } from './replay.ts';
import { SCAN_ALERTS } from './scanAlerts.ts';
import { SERVER } from './server.ts';
import { SETTINGS } from './settings.ts';
import { USERS } from './users.ts';

/** The routes whose requests and answers are said once. */
export const CONTRACTS: RouteContracts = {
  ...ACCOUNTS,
  ...QUOTE_SITE,
  ...CHATS,
  ...NEWS,
  ...CALENDAR,
  ...CALLS,
  ...STOCK,
  ...WATCHLIST,
  ...AUDIT,
};

/** Every route in words; a test says which one lacks its own. */
export const DESCRIPTIONS: RouteDescriptions = {
  ...SETTINGS,
  ...MARKET,
  ...INDICATORS,
  ...ALERTS,
  ...SCAN_ALERTS,
  ...describedBy(CONTRACTS),
  ...ADMINISTRATION,
  ...USERS,
  ...CHANNELS,
  ...HOSTING,
  ...REPLAY,
  ...SERVER,
};
