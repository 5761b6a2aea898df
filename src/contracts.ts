import { INGEST } from './admin/ingest/contract.ts';
import { APP_INFO } from './admin/appInfo/contract.ts';
import { AUDIT } from './admin/audit/contract.ts';
import { BACKUPS } from './admin/backups/contract.ts';
import { FIRST_RESTORE } from './admin/firstRestore/contract.ts';
import { CHANNELS } from './admin/channels/contract.ts';
import { CLOSURES } from './admin/closures/contract.ts';
import { ENDPOINT_CALLS } from './admin/endpoints/contract.ts';
import { HEALTH } from './admin/health/contract.ts';
import { INTERNAL_STATE } from './admin/inspector/contract.ts';
import { LOGS } from './admin/logs/contract.ts';
import { METRICS } from './admin/metrics/contract.ts';
import { RECORDINGS } from './admin/recordings/contract.ts';
import { SERVER_ALERTS } from './admin/serverAlerts/contract.ts';
import { SERVER_SETTINGS } from './admin/settings/contract.ts';
import { SUPPORT } from './admin/support/contract.ts';
import { REACHABILITY } from './admin/reachability/contract.ts';
import { RELAYS } from './admin/relays/contract.ts';
import { SERVER_CONTROLS } from './admin/server/contract.ts';
import { TEST_MODE } from './admin/testMode/contract.ts';
import { UPDATES } from './admin/updates/contract.ts';
import { USERS } from './admin/users/contract.ts';
import { TRANSFER } from './subjects/transfer/contract.ts';
import { ACCOUNTS } from './subjects/accounts/contract.ts';
import { ALERT_ATTENTION, ALERTS, SCAN_ALERTS } from './subjects/alerts/contract.ts';
import { WATCHLIST, WATCHLISTS } from './subjects/alerts/watchlistContract.ts';
import { NEWS } from './subjects/announcements/contract.ts';
import { BRIEF } from './subjects/brief/contract.ts';
import { CALENDAR } from './subjects/calendar/contract.ts';
import { CALLS } from './subjects/calls/contract.ts';
import { CHATS } from './subjects/chats/contract.ts';
import { CONDITIONS } from './subjects/conditions/contract.ts';
import { DEVICES } from './subjects/devices/contract.ts';
import { OVERVIEW } from './subjects/marketOverview/contract.ts';
import { QUESTIONS } from './subjects/questions/contract.ts';
import { REPLAY } from './subjects/replay/contract.ts';
import { CHART_LEVELS, STOCK } from './subjects/stock/contract.ts';
import { RELAY_ROUTES } from './subjects/relays/contract.ts';
import { QUIET_HOURS } from './subjects/quietHours/contract.ts';
import { SETTINGS } from './subjects/settings/contract.ts';
import { INDICATORS } from './subjects/indicators/contract.ts';
import { HISTORY } from './subjects/scanners/contract.ts';
import { ODDS } from './subjects/odds/contract.ts';
import { MARKET_STREAM } from './market/stream/contract.ts';
import { API_DOCS } from './apiDocs/contract.ts';

/** The contracts of all routes. A test names a route without one. */
export const CONTRACTS = {
  ...ACCOUNTS,
  ...TRANSFER,
  ...SETTINGS,
  ...QUIET_HOURS,
  ...CHATS,
  ...DEVICES,
  ...NEWS,
  ...CALENDAR,
  ...BRIEF,
  ...CALLS,
  ...MARKET_STREAM,
  ...STOCK,
  ...CHART_LEVELS,
  ...OVERVIEW,
  ...HISTORY,
  ...ODDS,
  ...INDICATORS,
  ...CONDITIONS,
  ...QUESTIONS,
  ...WATCHLIST,
  ...WATCHLISTS,
  ...ALERTS,
  ...SCAN_ALERTS,
  ...ALERT_ATTENTION,
  ...AUDIT,
  ...USERS,
  ...CHANNELS,
  ...CLOSURES,
  ...ENDPOINT_CALLS,
  ...INTERNAL_STATE,
  ...LOGS,
  ...BACKUPS,
  ...FIRST_RESTORE,
  ...RECORDINGS,
  ...SERVER_ALERTS,
  ...REACHABILITY,
  ...SUPPORT,
  ...SERVER_SETTINGS,
  ...RELAYS,
  ...SERVER_CONTROLS,
  ...UPDATES,
  ...HEALTH,
  ...METRICS,
  ...REPLAY,
  ...APP_INFO,
  ...TEST_MODE,
  ...API_DOCS,
  ...INGEST,
  ...RELAY_ROUTES,
};
