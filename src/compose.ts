import { sourceEdges } from './compose/sourceEdges.ts';
import { createApiDocs } from './apiDocs/index.ts';
import { createApp } from './app.ts';
import { createAlertParts } from './compose/alerts.ts';
import {
  createAdministration,
  createNightWork,
  createRecordingParts,
  createTestModePart,
} from './compose/administration.ts';
import { createBotParts } from './compose/bots.ts';
import { createMemoryParts } from './compose/calendarMemory.ts';
import { createMarketParts } from './compose/market.ts';
import { createMessaging } from './compose/messages.ts';
import { createMetricsPart } from './compose/metrics.ts';
import { createModelParts } from './compose/model.ts';
import { createNoticesPart } from './compose/notices.ts';
import { createPeople, createRequestParts } from './compose/people.ts';
import { createRelayPart } from './compose/relays.ts';
import { redactorOf, type Runtime } from './compose/runtime.ts';
import { startAfterTrial } from './compose/startAfterTrial.ts';
import { createTransferPart } from './compose/transfer.ts';
import { createWatchers } from './compose/watchers.ts';
import { createInternalState } from './admin/inspector/server/index.ts';
import { lazy } from './lib/lazy.ts';
import type { Core, Part } from './part.ts';
import { createCheckpoints } from './platform/db/checkpoints.ts';
import { chooseCalendar } from './sources/calendar/choose.ts';
import { createCalendar } from './subjects/calendar/server/index.ts';
import { createCalls } from './subjects/calls/server/index.ts';
import { createRelayRoutes } from './subjects/relays/server/index.ts';

/** What the subjects are made of, each after those that it needs. */
function createSubjects(core: Core, runtime: Runtime) {
  const { clientAddress, randomToken } = runtime;
  const requests = createRequestParts(core, runtime);
  const { audit } = requests;
  const { auth } = requests.access;
  const messaging = createMessaging(core, runtime, auth);
  const calendar = createCalendar(core, {
    auth,
    source: runtime.calendar ?? chooseCalendar(core, sourceEdges(core)),
    outbox: messaging.outbox.service,
    chatsOf: messaging.platforms.placesOf,
  });
  const marketParts = createMarketParts(core, runtime, { ...requests, calendar });
  const { market, values, indicators } = marketParts;
  const people = createPeople(core, runtime, { ...requests, indicators });
  const { accounts } = people;
  const before = { ...requests, ...messaging, ...marketParts, ...people, calendar };
  const alertParts = createAlertParts(core, runtime, before);
  const { notifier } = alertParts.alerts.service;
  const calls = createCalls(core, {
    auth,
    market: market.service,
    randomToken,
    clientAddress,
    notifier: () => notifier,
    audit: audit.service,
    past: values.service,
    adjustments: values.service.adjustments,
    reads: requests.longReads.service,
  });
  accounts.service.listen({ accountChanged: indicators.service.planChanged });
  accounts.service.listen(notifier);
  accounts.service.listen(messaging.devices.service);
  for (const { service } of [alertParts.alerts, alertParts.scanAlerts, indicators, calls]) {
    accounts.service.onDeletion(service.leaving);
  }
  const relayRoutes = createRelayRoutes(core, {
    auth,
    jwtSecret: runtime.jwtSecret,
    alertOpening: alertParts.alerts.service.openingElsewhere,
  });
  const modelParts = createModelParts(core, runtime, { ...before, calls });
  return { ...marketParts, ...modelParts, ...messaging, ...alertParts, ...before, calls, relayRoutes };
}

/** Every part; the state inspector shows what they hold in this order. */
function createParts(core: Core, runtime: Runtime) {
  const subjects = createSubjects(core, runtime);
  const { access, platforms, ...made } = subjects;
  const { accounts, audit, calendar, calls, changeGate, longReads, loopTime, requestLog, ...rest } = made;
  const { auth } = access;
  const administration = createAdministration(core, runtime, subjects);
  const parts = {
    ...rest,
    ...createBotParts(core, platforms, runtime, subjects),
    ...administration,
    ...createRecordingParts(core, runtime, { ...subjects, ...administration }),
    ...createMemoryParts(core, runtime, subjects),
    ...createWatchers(core, runtime, subjects),
    transfer: createTransferPart(core, subjects),
    relayRun: createRelayPart(runtime.primary, subjects),
    apiDocs: createApiDocs({ auth, about: runtime.about }),
    accounts,
    audit,
    calendar,
    calls,
    changeGate,
    testMode: createTestModePart(core, runtime, subjects),
    checkpoints: createCheckpoints(core),
    longReads,
    loopTime,
    requestLog,
  } satisfies Record<string, Part>;
  const redactor = redactorOf(core, runtime);
  const nightWork = createNightWork(core, runtime, subjects, Object.values<Part>(parts));
  const known = { ...subjects, ...parts, ...nightWork };
  const notices = createNoticesPart(core, runtime, known);
  return {
    ...parts,
    internalState: createInternalState(core, { auth, redactor, parts: () => ({ ...parts, ...nightWork }) }),
    ...nightWork,
    notices,
    metrics: createMetricsPart(core, runtime, { ...known, notices }),
  } satisfies Record<string, Part>;
}

type Parts = ReturnType<typeof createParts>;

/**
 * The parts that run, in the order of their start. What an earlier run left is there before the first price, and what is
 * written for the outside world is said last.
 */
const START_ORDER = [
  'requestLog',
  'checkpoints',
  'closures',
  'endpointCalls',
  'process',
  'accounts',
  'memory',
  'auctions',
  'calls',
  'indicators',
  'values',
  'lastSession',
  'announcements',
  'alerts',
  'scanAlerts',
  'blindSpots',
  'shortage',
  'lostReferences',
  'alertReview',
  'quietHours',
  'calendar',
  'tape',
  'glance',
  'recordings',
  'calendarMemory',
  'longReads',
  'feed',
  'tick',
  'stream',
  'relayRun',
  'outbox',
  'channels',
  'summaries',
  'telegramBot',
  'discordBot',
  'modelWatch',
  'questions',
  'phrases',
  'firstRestore',
  'support',
  'backups',
  'nightly',
  'updates',
  'notices',
] as const satisfies readonly (keyof Parts)[];

/** These tell people outside what the parts have written; so they wait until it is certain to stay. */
const OUTWARD: ReadonlySet<string> = new Set(['outbox', 'channels', 'telegramBot', 'discordBot', 'notices']);

const runs = ({ start, stop }: Part): boolean => start !== undefined || stop !== undefined;

/** An observer of the Market that has nothing to do with its batches. */
const HEARS_NOTHING = { applied: () => {}, removed: () => {}, beforeFlush: () => {} };

/** Has every part hear of ticks and of jumps of the market's clock. */
function connect(parts: Parts): void {
  // People first: a change is on its way to them before anything else is done with it.
  for (const name of new Set(['stream', ...START_ORDER] as const)) {
    const { onChanges }: Part = parts[name];
    if (onChanges) parts.tick.service.listen(onChanges);
  }
  for (const { name, onJump } of Object.values<Part>(parts)) {
    if (onJump) parts.market.service.observe({ ...HEARS_NOTHING, name, jumped: onJump });
  }
}

/**
 * Makes the whole server out of its parts; nothing runs yet. The server, the tests and the benches all use this.
 *
 * @returns the routes as one application, made when it is asked for; the parts by name; and those that run, in the order
 *   of their start; they stop in the reverse order
 */
export function compose(core: Core, runtime: Runtime) {
  const parts = createParts(core, runtime);
  // Without a token a bot has nothing to start.
  const startOrder = START_ORDER.filter((name) => runs(parts[name])).map(
    (name): Part =>
      OUTWARD.has(name) ? startAfterTrial(runtime.control.trial, core.log, parts[name]) : parts[name],
  );
  connect(parts);
  const app = lazy(() => createApp(core, parts));
  return {
    get app() {
      return app();
    },
    parts,
    startOrder,
  };
}

export type Composition = ReturnType<typeof compose>;
/** The server's routes with what they take and answer: the browser's client knows them by this type alone. */
export type App = Composition['app'];
