import { createApp } from './app.ts';
import { createWatchers } from './compose/watchers.ts';
import { createCheckpoints } from './platform/db/checkpoints.ts';
import { createAccounts } from './subjects/accounts/server/index.ts';
import { createAudit } from './admin/audit/server/index.ts';
import { createAlertsSeeder } from './subjects/alerts/server/seed.ts';
import { createApiDocs } from './apiDocs/index.ts';
import { createAppInfo } from './admin/appInfo/server/index.ts';
import { createCalendar } from './subjects/calendar/server/index.ts';
import { createCalls } from './subjects/calls/server/index.ts';
import { createCallsSeeder } from './subjects/calls/server/seed.ts';
import { createHealth } from './admin/health/server/index.ts';
import { createSettings } from './subjects/settings/server/index.ts';
import { createTestMode } from './admin/testMode/server/index.ts';
import { createAuth } from './platform/http/auth.ts';
import { createLastSeen } from './platform/http/lastSeen.ts';
import { createLongReads } from './platform/http/longReads.ts';
import { createLoopTime } from './platform/http/loopTime.ts';
import { createRequestLog } from './platform/http/requestLog.ts';
import { lazy } from './lib/lazy.ts';
import type { Core, Part } from './part.ts';
import { chooseCalendar } from './sources/calendar/choose.ts';
import { createChangeGate } from './platform/http/changeGate.ts';
import { startAfterTrial } from './compose/startAfterTrial.ts';
import { createAdministration, createNightWork, createRecordingParts } from './compose/administration.ts';
import { createAlertParts } from './compose/alerts.ts';
import { createMarketParts } from './compose/market.ts';
import { createModelParts } from './compose/model.ts';
import type { Runtime } from './compose/runtime.ts';

/** Every part, each after those that it needs. */
function createParts(core: Core, runtime: Runtime) {
  const { about, jwtSecret, randomToken, passwords, clientAddress } = runtime;
  const lastSeen = createLastSeen();
  const loopTime = createLoopTime(core, { clientAddress });
  const auth = createAuth(core, { jwtSecret, lastSeen, gate: loopTime.service });
  const requestLog = createRequestLog(core);
  const changeGate = createChangeGate({ isClosed: () => runtime.control.trial?.holdsChanges() ?? false });
  const longReads = createLongReads(core, runtime);
  const reads = longReads.service;
  const audit = createAudit(core, { auth, reads });
  const calendar = createCalendar(core, {
    auth,
    source: runtime.calendar ?? chooseCalendar(core),
    // Made below: what the calendar needs of them is asked for once all parts run.
    outbox: {
      add: (messages) => alertParts.outbox.service.add(messages),
      wake: () => alertParts.outbox.service.wake(),
    },
    chatsOf: (userId) => alertParts.linkedChats.service.confirmed(userId),
  });
  const marketParts = createMarketParts(core, runtime, { auth, audit, calendar, reads });
  const market = marketParts.market.service;
  const accounts = createAccounts(core, {
    ...{ auth, passwords, randomToken, jwtSecret, clientAddress, lastSeen, reads },
    // Made below: the stream asks the accounts what to say first.
    notifier: () => ({
      ...alertParts.alerts.service.notifier,
      accountChanged(userId, state) {
        marketParts.indicators.service.planChanged(userId);
        alertParts.alerts.service.notifier.accountChanged(userId, state);
      },
    }),
  });
  const settings = createSettings(core, { auth, indicators: marketParts.indicators.service });
  const calls = createCalls(core, {
    ...{ auth, market, randomToken, clientAddress },
    audit: audit.service,
    past: marketParts.values.service,
    notifier: () => alertParts.alerts.service.notifier,
  });
  const modelParts = createModelParts(core, runtime, { auth, calls, calendar, ...marketParts });
  const alertParts = createAlertParts(core, runtime, {
    ...{ auth, accounts, audit, calls, reads },
    ...{ ...marketParts, ...modelParts },
  });

  const leaving = [alertParts.alerts, alertParts.scanAlerts, marketParts.indicators, calls].map(
    ({ service }) => service.leaving,
  );
  accounts.service.onDeletion(...leaving);
  const administered = { auth, accounts, audit, ...alertParts };
  const administration = createAdministration(core, runtime, administered);

  const demoNeeds = {
    accounts: accounts.service,
    calls: calls.service,
    market,
    randomToken,
    past: marketParts.values.service,
  };
  const recordings = createRecordingParts(core, runtime, {
    ...{ auth, audit, calendar, ...marketParts },
    serverControls: administration.serverControls,
  });
  const { alerts, watchlist } = alertParts;
  const seeders = [
    createCallsSeeder(core, demoNeeds),
    createAlertsSeeder({ market, alerts: alerts.service, watchlist: watchlist.service }),
  ];
  const testMode = createTestMode(core, {
    ...{ auth, accounts: accounts.service, seeders },
    listed: async () => core.source.loaded?.(),
  });
  const appInfo = createAppInfo(core, { auth, about });
  const apiDocs = createApiDocs({ auth, about });
  const health = createHealth(core, { auth, about });
  const checkpoints = createCheckpoints(core);
  const watchers = createWatchers(core, runtime, {
    ...{ auth, requestLog },
    ...{ ...marketParts, ...alertParts },
    // Asked for once all are made.
    parts: (): Readonly<Record<string, Part>> => parts,
  });
  const parts = {
    ...marketParts,
    ...modelParts,
    ...alertParts,
    ...administration,
    ...recordings,
    ...watchers,
    ...{ accounts, apiDocs, appInfo, audit, calendar, calls, changeGate, checkpoints, health },
    ...{ longReads, loopTime, requestLog, settings, testMode },
  } satisfies Record<string, Part>;
  const night = createNightWork(core, runtime, administered, Object.values<Part>(parts));
  return { ...parts, ...night } satisfies Record<string, Part>;
}

/** An observer of the Market that has nothing to do with its batches. */
const HEARS_NOTHING = { applied: () => {}, removed: () => {}, beforeFlush: () => {} };

/**
 * Makes the whole server out of its parts; nothing runs yet. The server, the tests and the benches all use this.
 *
 * @returns the routes as one application, made when it is asked for; the parts by name; and those that run, in the order
 *   of their start; they stop in the reverse order
 */
export function compose(core: Core, runtime: Runtime) {
  const parts = createParts(core, runtime);
  const { accounts, alerts, announcements, blindSpots, calendar, calls, indicators, lastSession } = parts;
  const { auctions, memory, values } = parts;
  // People first: a change is on its way to them before anything else is done with it.
  for (const { onChanges } of [
    parts.stream,
    memory,
    auctions,
    lastSession,
    calls,
    alerts,
    parts.scanAlerts,
    calendar,
    parts.tape,
    parts.recordings,
  ]) {
    parts.tick.service.listen(onChanges);
  }
  for (const { name, onJump } of Object.values<Part>(parts)) {
    if (onJump) parts.market.service.observe({ ...HEARS_NOTHING, name, jumped: onJump });
  }
  // What an earlier run left is there before the first price.
  const restored = [
    ...[accounts, memory, auctions, calls, indicators, values, lastSession],
    ...[announcements, alerts, parts.scanAlerts, blindSpots, parts.shortage, calendar],
    ...[parts.tape, parts.recordings],
  ];
  // Without a token a bot has nothing to start.
  const bots = [parts.telegramBot, parts.discordBot].filter((bot: Part) => bot.start);
  // What these write for the outside world, they say when it is certain to stay.
  const outward = startAfterTrial(runtime.control.trial, core.log, [parts.outbox, parts.channels, ...bots]);
  const [outbox = parts.outbox, channels = parts.channels, ...startedBots] = outward;
  const startOrder: readonly Part[] = [
    ...[parts.requestLog, parts.checkpoints, parts.endpointCalls, parts.process],
    ...restored,
    ...[parts.longReads, parts.feed, parts.tick, parts.stream, outbox, channels, parts.summaries],
    ...[...startedBots, parts.questions, parts.backups, parts.nightly, parts.updates],
  ];
  const app = lazy(() => createApp(core, parts));
  return {
    get app() {
      return app();
    },
    ...{ parts, startOrder },
  };
}

export type Composition = ReturnType<typeof compose>;
