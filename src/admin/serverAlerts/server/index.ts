import { and, count, eq, isNotNull, isNull } from 'drizzle-orm';
import { HOUR_MS, DAY_MS } from '#lib/units.ts';
import { isWaiting } from '#admin/updates/server/service.ts';
import type { MessagePlatform } from '#platform/chatClients/rules/chatPlatform.ts';
import { relayFinding } from '#admin/relays/rules/relayState.ts';
import type { App, Part } from '#platform/app.ts';
import { factStore } from '#platform/db/facts.ts';
import { calls, users } from '#platform/db/schema.ts';
import { serve } from '#platform/http/routes.ts';
import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { SERVER_ALERTS } from '../contract.ts';
import { type HostSeen, hostChecks } from '../rules/hostChecks.ts';
import {
  carrierSeen,
  destinationChecks,
  serviceChecks,
  type ServiceSeen,
  type ServicesSeen,
} from '../rules/serviceChecks.ts';
import { sourceChecks, type SourcesSeen } from '../rules/sourceChecks.ts';
import { administratorsSeen, ServerAlerts, wantedServerAlerts } from './service.ts';
import { shownCertificate } from '#lib/httpClient/probe.ts';
import type { Log } from '#lib/log.ts';

type Daily<T> = {
  what: string;
  firstMs: number;
  ask(): Promise<T>;
};

/** Makes a request once a day, after a failure every hour, and stores the last answer. */
class DailyCheck<T> {
  #answer: T | null = null;
  #due = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;
  #isStopped = false;

  constructor(
    private readonly app: App,
    private readonly log: Log,
    private readonly daily: Daily<T> | null,
  ) {}

  get isAsked(): boolean {
    return this.daily !== null;
  }

  /** Null before the first answer of this run. */
  readonly answer = (): T | null => this.#answer;

  start(): void {
    if (this.daily === null) return;
    this.#isStopped = false;
    this.#cancel ??= this.app.schedule(this.daily.firstMs, () => void this.#again());
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#cancel = null;
  }

  async #again(): Promise<void> {
    if (this.app.clock.monotonic() >= this.#due) await this.#ask();
    if (!this.#isStopped) this.#cancel = this.app.schedule(HOUR_MS, () => void this.#again());
  }

  async #ask(): Promise<void> {
    if (this.daily === null) return;
    try {
      this.#answer = await this.daily.ask();
      // Half an hour less, so that a timer that is slightly early does not delay it by an hour.
      this.#due = this.app.clock.monotonic() + DAY_MS - HOUR_MS / 2;
    } catch (error) {
      this.log.warn(`Could not check ${this.daily.what}; trying again in an hour`, { error });
    }
  }
}

const TIMEOUT_MS = 10_000;

/**
 * The end of the certificate of an https address, even if it has expired or is not trusted.
 * @param url an https address
 * @returns epoch ms
 * @throws Error if there is no connection within ten seconds, or no certificate
 */
export async function certificateEnd(url: string): Promise<number> {
  const { validTo } = await shownCertificate(url, TIMEOUT_MS);
  if (Number.isNaN(validTo)) throw new Error('The server shows no certificate.');
  return validTo;
}

const FIRST_KEY = 'notices_first_look';
/** Delay after the start, ms. By then the trial of an update has ended. */
const CERTIFICATE_FIRST_MS = 60_000;
const UPDATE_FIRST_MS = 10 * 60_000;
const MAX_CHANGES_A_MINUTE = 30;

const httpsOf = (url: string | null): string | null => (url?.startsWith('https://') ? url : null);

/** Requests to other servers: the certificate of the public address, and the newest version. */
function createDailyChecks(app: App, endOf: (url: string) => Promise<number>) {
  const { updates } = app;
  const log = app.log.child('serverAlerts');
  const url = httpsOf(app.config.publicUrl);
  const certificate = new DailyCheck(
    app,
    log,
    url === null
      ? null
      : {
          what: 'the certificate of the public address',
          firstMs: CERTIFICATE_FIRST_MS,
          ask: async () => ({ host: new URL(url).host, endsAt: await endOf(url) }),
        },
  );
  const update = new DailyCheck(
    app,
    log,
    updates.canCheck() ? { what: 'for updates', firstMs: UPDATE_FIRST_MS, ask: () => updates.check() } : null,
  );
  return { certificate, update };
}

/** Numbers of upgrade requests and calls that wait for an administrator. */
function waitingIn(db: App['db']) {
  const requested = and(isNotNull(users.requestedSubscriptionType), isNull(users.deletedAt));
  return {
    upgradeRequests: db.select({ sum: count() }).from(users).where(requested).get()?.sum ?? 0,
    calls: db.select({ sum: count() }).from(calls).where(eq(calls.adminStatus, 'review')).get()?.sum ?? 0,
  };
}

function routesOf(
  { audit, chatsOf, clock, db, relayState }: App,
  service: ServerAlerts,
  wanted: ReturnType<typeof wantedServerAlerts>,
) {
  const limit = createWriteLimit(clock, MAX_CHANGES_A_MINUTE, 'your messages');
  return serve(SERVER_ALERTS, {
    'GET /api/admin/notices': ({ user }) => ({
      notices: service.list(),
      checks: service.checks(),
      isWanted: wanted.isWanted(user.id),
      isReachable: chatsOf(user.id).length > 0,
      waiting: waitingIn(db),
      hasRelays: relayState !== null,
    }),
    'PUT /api/admin/notices/wanted': ({ user, body: { isWanted } }) => {
      limit(user.id);
      const before = wanted.isWanted(user.id);
      if (before === isWanted) return { isWanted };
      db.transaction(
        () => {
          wanted.set(user.id, isWanted);
          audit.record({
            userId: user.id,
            action: 'switch notices',
            target: user.username,
            before: { isTold: before },
            after: { isTold: isWanted },
          });
        },
        { behavior: 'immediate' },
      );
      return { isWanted };
    },
  });
}

function sourcesOf({ announcements, calendar, clock, source }: App): SourcesSeen {
  const { healthy, problem, signInProblem = null } = source.health();
  const missing = source.missing?.() ?? [];
  const news = announcements.info();
  const events = calendar.info();
  return {
    prices: { label: source.label(), healthy, problem, signInProblem, missing },
    announcements: news && { ...news, missing: announcements.missing() },
    calendar: events && { ...events, missing: calendar.missing() },
    marketTime: source.clock.now(),
    now: clock.now(),
  };
}

function servicesOf(app: App): ServicesSeen {
  const { config, devices, model, outbox, relayState } = app;
  const seen = (platform: MessagePlatform, found: ServiceSeen) =>
    carrierSeen(platform, found, outbox.trouble(platform));
  const push = devices.checkResult();
  return {
    ...(config.telegram.token !== null && { telegram: seen('telegram', app.telegramBot.checkResult()) }),
    ...(config.discord.token !== null && { discord: seen('discord', app.discordBot.checkResult()) }),
    ...(push !== undefined && { push: seen('push', push) }),
    ...(model && { model: model.result() }),
    ...(relayState && { relays: relayFinding(relayState()) }),
  };
}

type ServerAlertChecks = {
  endOf?: (url: string) => Promise<number>;
  sources?: () => SourcesSeen;
  services?: () => ServicesSeen;
};

/** Problems of the host: sent to administrators when they begin and end, and listed in the panel. */
export function createServerAlerts(
  app: App,
  {
    endOf = certificateEnd,
    sources = () => sourcesOf(app),
    services = () => servicesOf(app),
  }: ServerAlertChecks = {},
) {
  const { backups, clock, config, db, push, updates } = app;
  const facts = factStore(db);
  const wanted = wantedServerAlerts(facts);
  const checks = createDailyChecks(app, endOf);
  const firstCheck = (): number => {
    const kept = facts.read(FIRST_KEY);
    if (typeof kept === 'number' && kept <= clock.now()) return kept;
    facts.write(FIRST_KEY, clock.now());
    return clock.now();
  };
  /** Only a nightly failure is reported, because a user who requested a backup has seen its failure. */
  const nightlyFailure = (): string | null => {
    const failure = backups.failure();
    return failure?.isNightly ? failure.reason : null;
  };
  const backupsSeen = (): HostSeen['backups'] => ({
    newest: backups.newest()?.madeAt ?? null,
    failure: nightlyFailure(),
    warning: backups.warning(),
    everyDays: config.backup.everyDays,
  });
  const offered = () => {
    const offer = updates.lastOffer();
    return offer && { isNew: isWaiting(offer), version: offer.version };
  };
  const host = (): HostSeen => ({
    now: clock.now(),
    firstCheck: firstCheck(),
    backups: backupsSeen(),
    freeBytes: app.diskRoom()?.free ?? null,
    engine: app.relayState?.().engine ?? null,
    clockAhead: push.clockAhead(),
    ...(checks.certificate.isAsked && { certificate: checks.certificate.answer() }),
    ...(checks.update.isAsked && { update: offered() }),
  });
  const service = new ServerAlerts(app, wanted, () => [
    ...sourceChecks(sources()),
    ...serviceChecks(services()),
    ...destinationChecks({
      channels: app.channels.destinations(),
      administrators: administratorsSeen(app, wanted),
    }),
    ...hostChecks(host()),
  ]);
  const parts = [service, checks.certificate, checks.update];
  const routes = () => routesOf(app, service, wanted);
  return {
    name: 'serverAlerts',
    service: {
      list: () => service.list(),
      checks: () => service.checks(),
      status: () => service.status(),
      services,
      check: () => service.check(),
      certificate: checks.certificate.answer,
    },
    routes,
    start: () => parts.forEach((part) => part.start()),
    stop: () => parts.forEach((part) => part.stop()),
  } satisfies Part;
}

declare module '#platform/app.ts' {
  interface App {
    serverAlerts: Pick<ServerAlerts, 'list' | 'checks' | 'status' | 'check'> & {
      services(): ServicesSeen;
      /** The end of the certificate of the public address; null before the first check. */
      certificate(): HostSeen['certificate'];
    };
  }
}
