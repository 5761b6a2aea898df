import { serve } from '#platform/http/routes.ts';
import { ALERTS } from '../contract.ts';
import type { AccountNotifier } from '#subjects/accounts/rules/accountRules.ts';
import type { Alert } from '../rules/alert.ts';
import { alertMessage, alertNote } from '../rules/alertMessage.ts';
import type { AlertStreamEvents } from '../rules/alertView.ts';
import { guardText } from '../rules/eventGuard.ts';
import type { Trigger } from '../rules/trigger.ts';
import type { CallsNotifier } from '#subjects/calls/rules/types.ts';
import type { Stock } from '#market/rules/stock.ts';
import type {
  ScanAlert,
  ScanAlertEvents,
  ScanAlertNotifier,
  ScanTrigger,
} from '../rules/scanAlerts/scanAlert.ts';
import { type AuthUser, createSessionReader } from '#platform/http/auth.ts';
import type { Connections } from '#platform/http/connections.ts';
import type { App } from '#platform/app.ts';
import { type Greeting, lastEventId } from '#platform/sse/answer.ts';
import { type ChannelStreams, SseChannel } from '#platform/sse/channel.ts';
import { packEvent } from '#platform/sse/event.ts';
import type { Message } from '#platform/sse/message.ts';
import type { TransferNotifier } from '#subjects/transfer/rules/kind.ts';
import { alertTriggers, scanAlertTriggers } from '#src/tables/alertSchema.ts';
import { scanTriggerText } from '../rules/scanAlerts/scanAlertMessage.ts';
import { alertOf } from './ownRows.ts';
import { AlertStore, newestTrigger, ScanAlertStore } from './store.ts';

/** A browser needs one for all its windows; one that can't share needs one a window. */
const MAX_STREAMS_A_USER = 50;
/** Pages learn from the market's stream whether the server is there. */
const PING_MS = 10_000;
/** Triggers that are told to who comes back: no older, and no more. */
const MISSED_MS = 24 * 60 * 60 * 1000;
const MAX_MISSED = 20;

/** Up to which trigger a window was told: of alerts on stocks, and of alerts on whole scans. */
type StreamPlace = { alert: number; scan: number };

/** A place as the id of an event, by which a client comes back to it, also in a later run. */
const placeId = ({ alert, scan }: StreamPlace): string => (scan === 0 ? String(alert) : `${alert}.${scan}`);

/** @returns null for what is no place */
function readPlace(id: string | null): StreamPlace | null {
  const read = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(id ?? '');
  return read && { alert: Number(read[1]), scan: Number(read[2] ?? 0) };
}

const utf8 = new TextDecoder();

const audienceOf = (userId: number): string => String(userId);

/** @param stock as it was when the alert fired; null when that is not known any more */
function toEvent(
  trigger: Trigger,
  alert: Omit<Alert, 'logic'>,
  stock: Stock | null,
  label: string,
): AlertStreamEvents['alert_triggered'] {
  const { title, lines } = alertMessage(trigger, alertNote(trigger, alert, { stock, label }), null);
  const [happened] = lines;
  return {
    alertId: alert.id,
    triggerId: trigger.id,
    timestamp: new Date(trigger.triggeredAt).toISOString(),
    marketTime: new Date(trigger.marketAt).toISOString(),
    deactivated: trigger.deactivated,
    symbol: trigger.symbol,
    name: alert.name,
    text: [title, happened, trigger.guard && guardText(trigger.guard)].filter(Boolean).join(' · '),
    seen: trigger.seen,
    silent: trigger.silent,
    sound: alert.sound,
  };
}

/** A sum is told a minute after it began, or when the events that it waits for are over, and a little later where the disk was slow. */
const SUM_MS = 20 * 60_000;

/** @param stock as it was when the alert fired; null for a sum, and when that is not known any more */
export const toScanEvent = (
  { config, source }: App,
  trigger: ScanTrigger,
  { name, sound }: Pick<ScanAlert, 'name' | 'sound'>,
  stock: Stock | null,
): ScanAlertEvents['scan_alert_triggered'] => ({
  scanAlertId: trigger.scanAlertId,
  triggerId: trigger.id,
  timestamp: new Date(trigger.triggeredAt).toISOString(),
  marketTime: new Date(trigger.marketAt).toISOString(),
  symbol: trigger.symbol,
  name,
  text: scanTriggerText(trigger, { stock, label: source.label(), publicUrl: config.publicUrl }),
  seen: trigger.seen,
  silent: trigger.silent,
  sound,
});

const READ_ALL: Message = packEvent('alert_changed', null, { alertId: null, symbol: null });

/** What a user who opens the stream is told first, and what one who read too slowly is told of what went by. */
class Greetings {
  constructor(private readonly app: App) {}

  of(user: AuthUser): Greeting {
    return {
      opening: (request) => ({ messages: this.openingOf(user.id, lastEventId(request)), next: null }),
      refresh: () => ({ messages: [...this.account(user.id), READ_ALL], next: null }),
    };
  }

  newestPlace(): StreamPlace {
    const { db } = this.app;
    return { alert: newestTrigger(db, alertTriggers), scan: newestTrigger(db, scanAlertTriggers) };
  }

  /** @param lastId of the event that the client got last; null for a new one */
  openingOf(userId: number, lastId: string | null): Message[] {
    const newest = this.newestPlace();
    // Says where the client is, from which it may go on.
    const here = packEvent('ping', placeId(newest), { time: this.app.clock.now() });
    const last = readPlace(lastId);
    const missed = last === null ? [] : [...this.missed(userId, last, newest), READ_ALL];
    return [...this.account(userId), ...missed, here];
  }

  /** A client that was away may have missed a change. */
  private account(userId: number): Message[] {
    const state = this.app.accounts.stateOf(userId);
    return state === null ? [] : [packEvent('account_changed', null, state)];
  }

  /** What a user missed after a place, each kind oldest first. */
  private missed(userId: number, last: StreamPlace, newest: StreamPlace): Message[] {
    const { app } = this;
    const scanStore = new ScanAlertStore(app.db);
    const since = this.app.clock.now() - MISSED_MS;
    const alerts = new AlertStore(app.db).triggersAfter(userId, last.alert, since, MAX_MISSED).toReversed();
    // A sum that had begun before may be among them though it was told.
    const sumsAfter = scanStore.triggerBefore(last.scan, SUM_MS);
    const scans = scanStore
      .triggersAfter(userId, { after: last.scan, sumsAfter, since, most: MAX_MISSED })
      .toReversed();
    // Whose connection breaks amid them goes on where it was.
    return [
      ...alerts.map(({ trigger, alert }) => {
        const event = toEvent(trigger, alert, null, app.source.label());
        return packEvent('alert_triggered', placeId({ ...last, alert: trigger.id }), event);
      }),
      ...scans.map(({ trigger, ...alert }) => {
        const scan = Math.max(last.scan, trigger.id);
        const event = toScanEvent(app, trigger, alert, null);
        return packEvent('scan_alert_triggered', placeId({ ...newest, scan }), event);
      }),
    ];
  }
}

/**
 * The stream of each user's own alerts (specification 7.3): what fired, and what was changed anywhere. A client that
 * names the last event it got is told the triggers of the last day since then, from the database. Where it can't be known
 * exactly what a client was told, it is told again: windows know a trigger by its id.
 */
export class AlertStream {
  private readonly channel: SseChannel<AlertStreamEvents>;
  private readonly greetings: Greetings;
  private readonly callers = new WeakMap<Request, AuthUser>();
  /** What windows were told of, in the order of the triggers' ids; some may wait to be told. */
  private readonly told: StreamPlace = { alert: 0, scan: 0 };
  /** Tells a user's windows of the account itself, of own calls and of alerts on whole scans. */
  readonly notifier: Omit<AccountNotifier, 'wrongCodes'> &
    CallsNotifier &
    ScanAlertNotifier &
    TransferNotifier = {
    accountChanged: (userId, state) => this.send(userId, 'account_changed', state),
    sessionsEnded: (userId) => this.send(userId, 'sessions_ended', {}),
    callsChanged: (userId) => this.send(userId, 'calls_changed', {}),
    scanAlertTriggered: (userId, event) => {
      this.told.scan = Math.max(this.told.scan, event.triggerId);
      this.channel.sendTo(audienceOf(userId), 'scan_alert_triggered', placeId(this.told), event);
    },
    setUpChanged: (userId) => {
      this.channel.sendTo(audienceOf(userId), 'set_up_changed', null, {});
      this.send(userId, 'alert_changed', { alertId: null, symbol: null });
    },
    scanAlertChanged: (userId, scanAlertId) => this.send(userId, 'scan_alert_changed', { scanAlertId }),
  };

  constructor(private readonly app: App) {
    const { clock, config, cutOff, clientAddress } = app;
    const { alertPingMs: pingMs = PING_MS, primary } = app;
    const readSession = createSessionReader(app);
    this.greetings = new Greetings(app);
    this.channel = new SseChannel<AlertStreamEvents>({
      clock,
      cutOff,
      clientAddress,
      pingMs,
      tap: primary?.alertTap,
      ...(primary && { elsewhere: primary.alertStreamsElsewhere }),
      log: app.log.child('alertStream'),
      streams: { ...config.streams, perAudience: MAX_STREAMS_A_USER },
      resume: null,
      isOver: (request) => readSession(this.callers.get(request)?.sessionId ?? '') === null,
    });
  }

  /** To be called before the first trigger: what is older was told by an earlier run. */
  begin(): void {
    Object.assign(this.told, this.greetings.newestPlace());
  }

  open(request: Request, user: AuthUser): Response {
    this.callers.set(request, user);
    return this.channel.open(request, this.greetings.of(user), audienceOf(user.id));
  }

  /** What a user's stream begins with that is opened elsewhere, and whose events it is given. */
  readonly openingElsewhere = (
    user: Pick<AuthUser, 'id'>,
    lastId: string | null,
  ): { audience: string; messages: string[] } => ({
    audience: audienceOf(user.id),
    messages: this.greetings.openingOf(user.id, lastId).map((message) => utf8.decode(message.plain())),
  });

  /** Tells the owner of an alert that it fired, where a window of theirs listens or may listen elsewhere. */
  triggered(trigger: Trigger): void {
    const { db, source } = this.app;
    const audience = audienceOf(trigger.userId);
    this.told.alert = Math.max(this.told.alert, trigger.id);
    const row = this.channel.isHeard(audience) && new AlertStore(db).own(trigger.userId, trigger.alertId);
    if (!row) return;
    const stock = this.app.market.get(trigger.symbol) ?? null;
    const event = toEvent(trigger, alertOf(row), stock, source.label());
    this.channel.sendTo(audience, 'alert_triggered', placeId(this.told), event);
  }

  /** Tells a user's windows of a change; without an alert it was the symbol's place on the watchlist. */
  changed(userId: number, alertId: number | null, symbol: string): void {
    this.send(userId, 'alert_changed', { alertId, symbol });
  }

  stats() {
    return this.channel.stats();
  }

  /** See `SseChannel`. */
  readonly openStreams = (least: number): ChannelStreams => this.channel.openStreams(least);

  /** Ends every stream. */
  close(): void {
    this.channel.close();
  }

  private send<E extends keyof AlertStreamEvents>(
    userId: number,
    name: E,
    event: AlertStreamEvents[E],
  ): void {
    this.channel.sendTo(audienceOf(userId), name, null, event);
  }
}

/** GET /user/alerts/stream; the token stands in the query, as a browser can't send it otherwise. */
export const streamRoutes = (stream: AlertStream, keepOpen: Connections['keepOpen']) =>
  serve(ALERTS, {
    'GET /api/user/alerts/stream': ({ request, user }) => {
      const response = stream.open(request, user);
      if (response.ok && response.body) keepOpen(request);
      return response;
    },
  });

declare module '#platform/app.ts' {
  interface App {
    /** How often the stream of alerts pings; set by tests. */
    alertPingMs?: number;
  }
}
