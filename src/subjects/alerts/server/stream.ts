import { serve } from '#platform/http/routes.ts';
import { ALERTS } from '../contract.ts';
import type { AccountNotifier } from '#subjects/accounts/rules/accountRules.ts';
import type { Alert } from '../rules/alert.ts';
import { alertMessage, alertNote } from '../rules/alertMessage.ts';
import type { AlertStreamEvents } from '../rules/alertView.ts';
import { eventFilterText } from '../rules/eventFilter.ts';
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
import { type Message, packEvent } from '#platform/sse/message.ts';
import type { TransferNotifier } from '#subjects/transfer/rules/kind.ts';
import { alertTriggers, scanAlertTriggers } from '#src/tables/alertSchema.ts';
import { asSingle } from '../rules/scanAlerts/watchedNews.ts';
import { scanTriggerText } from '../rules/scanAlerts/scanAlertMessage.ts';
import { alertOf } from './ownRows.ts';
import { AlertStore, newestTrigger, ScanAlertStore } from './store.ts';

/** Normally a browser needs one stream for all windows; without shared workers it needs one per window. */
const MAX_STREAMS_A_USER = 50;
/** Pages detect a lost server by the market's stream, so this one can be slower. */
const PING_MS = 10_000;
/** Maximum age of missed triggers that are sent to a returning client, ms. */
const MISSED_MS = 24 * 60 * 60 * 1000;
const MAX_MISSED = 20;

type StreamPlace = { alert: number; scan: number };

/** An event id from which a client resumes, also in a later run of the server. */
const placeId = ({ alert, scan }: StreamPlace): string => (scan === 0 ? String(alert) : `${alert}.${scan}`);

/** @returns null if invalid */
function readPlace(id: string | null): StreamPlace | null {
  const read = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(id ?? '');
  return read && { alert: Number(read[1]), scan: Number(read[2] ?? 0) };
}

const utf8 = new TextDecoder();

const audienceOf = (userId: number): string => String(userId);

/** @param stock at the time of the trigger; null if unknown */
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
    text: [title, happened, trigger.guard && eventFilterText(trigger.guard)].filter(Boolean).join(' · '),
    seen: trigger.seen,
    silent: trigger.silent,
    sound: alert.sound,
  };
}

/** Longest time from the start of a summary to its message, for example on a slow disk; ms. */
const SUM_MS = 20 * 60_000;

/** @param stock at the time of the trigger; null for a summary or if unknown */
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

/** The first events of a stream, and the events that a slow client missed. */
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

  /** @param lastId id of the client's last event; null for a new client */
  openingOf(userId: number, lastId: string | null): Message[] {
    const newest = this.newestPlace();
    // Gives the client a place to resume from.
    const here = packEvent('ping', placeId(newest), { time: this.app.clock.now() });
    const last = readPlace(lastId);
    const missed = last === null ? [] : [...this.missed(userId, last, newest), READ_ALL];
    return [...this.account(userId), ...missed, here];
  }

  /** Sent because a returning client may have missed a change. */
  private account(userId: number): Message[] {
    const state = this.app.accounts.stateOf(userId);
    return state === null ? [] : [packEvent('account_changed', null, state)];
  }

  /** Triggers that a user missed after a position, each kind oldest first. */
  private missed(userId: number, last: StreamPlace, newest: StreamPlace): Message[] {
    const { app } = this;
    const scanStore = new ScanAlertStore(app.db);
    const since = this.app.clock.now() - MISSED_MS;
    const alerts = new AlertStore(app.db).triggersAfter(userId, last.alert, since, MAX_MISSED).toReversed();
    // A summary that began earlier may be sent again.
    const sumsAfter = scanStore.triggerBefore(last.scan, SUM_MS);
    const scans = scanStore
      .triggersAfter(userId, { after: last.scan, sumsAfter, since, most: MAX_MISSED })
      .toReversed();
    // A client dropped during the replay resumes there.
    return [
      ...alerts.map(({ trigger, alert }) => {
        const event = toEvent(trigger, alert, null, app.source.label());
        return packEvent('alert_triggered', placeId({ ...last, alert: trigger.id }), event);
      }),
      ...scans.map(({ trigger, ...alert }) => {
        const scan = Math.max(last.scan, trigger.id);
        const event = toScanEvent(app, asSingle(trigger), alert, null);
        return packEvent('scan_alert_triggered', placeId({ ...newest, scan }), event);
      }),
    ];
  }
}

/**
 * The stream of each user's alerts (specification 7.3): triggers and changes. A client that sends its last event id
 * gets the triggers of the last day since then. In doubt a trigger is repeated; windows identify triggers by id.
 */
export class AlertStream {
  private readonly channel: SseChannel<AlertStreamEvents>;
  private readonly greetings: Greetings;
  private readonly callers = new WeakMap<Request, AuthUser>();
  /** Position of the last triggers; some may wait to be sent. */
  private readonly sent: StreamPlace = { alert: 0, scan: 0 };
  /** Notifies a user's windows of changes to the account, calls and scan alerts. */
  readonly notifier: Omit<AccountNotifier, 'wrongCodes'> &
    CallsNotifier &
    ScanAlertNotifier &
    TransferNotifier = {
    accountChanged: (userId, state) => this.send(userId, 'account_changed', state),
    sessionsEnded: (userId) => this.send(userId, 'sessions_ended', {}),
    callsChanged: (userId) => this.send(userId, 'calls_changed', {}),
    scanAlertTriggered: (userId, event) => {
      this.sent.scan = Math.max(this.sent.scan, event.triggerId);
      this.channel.sendTo(audienceOf(userId), 'scan_alert_triggered', placeId(this.sent), event);
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

  /** Sets the position before the first trigger, because an earlier run sent older ones. Call it at start. */
  begin(): void {
    Object.assign(this.sent, this.greetings.newestPlace());
  }

  open(request: Request, user: AuthUser): Response {
    this.callers.set(request, user);
    return this.channel.open(request, this.greetings.of(user), audienceOf(user.id));
  }

  /** First events of a stream that a relay serves. */
  readonly openingElsewhere = (
    user: AuthUser,
    lastId: string | null,
  ): { audience: string; messages: string[] } => ({
    audience: audienceOf(user.id),
    messages: this.greetings.openingOf(user.id, lastId).map((message) => utf8.decode(message.plain())),
  });

  /** Sends a trigger to the owner's windows, on this server or a relay. */
  triggered(trigger: Trigger): void {
    const { db, source } = this.app;
    const audience = audienceOf(trigger.userId);
    this.sent.alert = Math.max(this.sent.alert, trigger.id);
    const row = this.channel.isReceived(audience) && new AlertStore(db).own(trigger.userId, trigger.alertId);
    if (!row) return;
    const stock = this.app.market.get(trigger.symbol) ?? null;
    const event = toEvent(trigger, alertOf(row), stock, source.label());
    this.channel.sendTo(audience, 'alert_triggered', placeId(this.sent), event);
  }

  /** Sends a change to a user's windows. Without an alert, it concerns the symbol on the watchlist. */
  changed(userId: number, alertId: number | null, symbol: string): void {
    this.send(userId, 'alert_changed', { alertId, symbol });
  }

  stats() {
    return this.channel.stats();
  }

  /** As in `SseChannel`. */
  readonly openStreams = (least: number): ChannelStreams => this.channel.openStreams(least);

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

/** GET /user/alerts/stream. The token is in the query, because browsers cannot send headers with an EventSource. */
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
    /** Interval of pings on the alert stream; set by tests. */
    alertPingMs?: number;
  }
}
