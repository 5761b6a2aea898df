import { Elysia } from 'elysia';
import type { AccountState, AccountNotifier } from '../../accounts/rules/accountState.ts';
import type { Alert } from '../rules/alert.ts';
import { alertMessage, alertNote } from '../rules/alertMessage.ts';
import type { AlertStreamEvents } from '../rules/alertView.ts';
import type { Trigger } from '../rules/trigger.ts';
import type { CallsNotifier } from '../../calls/rules/types.ts';
import type { Stock } from '../../../market/rules/stock.ts';
import type { ScanAlertNotifier, ScanTriggerHistory } from '../rules/scanAlerts/scanTrigger.ts';
import { type Auth, type AuthUser, createSessionReader } from '../../../platform/http/auth.ts';
import type { Connections } from '../../../platform/http/connections.ts';
import type { Market } from '../../../market/types.ts';
import type { Core } from '../../../part.ts';
import { type Greeting, lastEventId } from '../../../platform/sse/answer.ts';
import { createSseChannel, type SseChannelDeps } from '../../../platform/sse/channel.ts';
import type { OpeningStep } from '../../../platform/sse/client.ts';
import { packEvent } from '../../../platform/sse/event.ts';
import type { Message } from '../../../platform/sse/message.ts';
import { type AlertStore, toAlert } from './store.ts';
import { placeId, readPlace, type StreamPlace } from './streamPlace.ts';

/** A browser needs one for all its windows; one that can't share needs one a window. */
const MAX_STREAMS_A_USER = 50;
/** Pages learn from the market's stream whether the server is there. */
const PING_MS = 10_000;
/** Triggers that are told to who comes back: no older, and no more. */
const MISSED_MS = 24 * 60 * 60 * 1000;
const MAX_MISSED = 20;

type AlertStreamCore = Pick<Core, 'db' | 'clock' | 'log'> & { config: Pick<Core['config'], 'streams'> };

export type AlertStreamNeeds = Pick<Connections, 'keepOpen' | 'cutOff' | 'clientAddress'> & {
  store: Pick<AlertStore, 'triggersAfter' | 'newestTrigger' | 'own'>;
  market: Pick<Market, 'get'>;
  /** The source's label: 'Simulated', 'Delayed 20 min'. */
  label(): string;
  /** A user's account as it stands; null when it is gone. */
  accountOf(userId: number): AccountState | null;
  /** What alerts on whole scans told. */
  scanTriggers: ScanTriggerHistory;
  /** How often it pings; for tests. */
  pingMs?: number | undefined;
};

const audienceOf = (userId: number): string => String(userId);

/** @param stock as it was when the alert fired; null when that is not known any more */
function toEvent(
  trigger: Trigger,
  alert: Alert,
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
    text: happened === undefined ? title : `${title} · ${happened}`,
    seen: trigger.seen,
    silent: trigger.silent,
  };
}

const newestPlace = ({ store, scanTriggers }: AlertStreamNeeds): StreamPlace => ({
  alert: store.newestTrigger(),
  scan: scanTriggers.newest(),
});

const READ_ALL: Message = packEvent('alert_changed', null, { alertId: null, symbol: null });

/** What a user who opens the stream is told first, and what one who read too slowly is told of what went by. */
function createGreetings(core: AlertStreamCore, needs: AlertStreamNeeds) {
  const { store, label, accountOf, scanTriggers } = needs;
  /** Says where the client is, from which it may go on. */
  const here = (place: StreamPlace): Message => packEvent('ping', placeId(place), { time: core.clock.now() });

  /** A client that was away may have missed a change. */
  const account = (userId: number): Message[] => {
    const state = accountOf(userId);
    return state === null ? [] : [packEvent('account_changed', null, state)];
  };

  /** What a user missed after a place, each kind oldest first. */
  function missed(userId: number, last: StreamPlace, newest: StreamPlace): Message[] {
    const since = core.clock.now() - MISSED_MS;
    const alerts = store.triggersAfter(userId, last.alert, since, MAX_MISSED).toReversed();
    const scans = scanTriggers.missed(userId, { after: last.scan, since, most: MAX_MISSED }).toReversed();
    // Whose connection breaks amid them goes on where it was.
    return [
      ...alerts.map(({ trigger, alert }) =>
        packEvent(
          'alert_triggered',
          placeId({ ...last, alert: trigger.id }),
          toEvent(trigger, alert, null, label()),
        ),
      ),
      ...scans.map((event) => {
        const scan = Math.max(last.scan, event.triggerId);
        return packEvent('scan_alert_triggered', placeId({ ...newest, scan }), event);
      }),
    ];
  }

  function openingOf(request: Request, user: AuthUser): OpeningStep {
    const newest = newestPlace(needs);
    const last = readPlace(lastEventId(request));
    if (last === null) return { messages: [...account(user.id), here(newest)], next: null };
    const events = missed(user.id, last, newest);
    return { messages: [...account(user.id), ...events, READ_ALL, here(newest)], next: null };
  }

  return (user: AuthUser): Greeting => ({
    opening: (request) => openingOf(request, user),
    refresh: () => ({ messages: [...account(user.id), READ_ALL], next: null }),
  });
}

/**
 * The stream of each user's own alerts (specification 7.3): what fired, and what was changed anywhere. A client that
 * names the last event it got is told the triggers of the last day since then, from the database. Where it can't be known
 * exactly what a client was told, it is told again: windows know a trigger by its id.
 */
export function createAlertStream(core: AlertStreamCore, needs: AlertStreamNeeds) {
  const { clock, config } = core;
  const log = core.log.child('alertStream');
  const { store, market, label, cutOff, clientAddress, pingMs = PING_MS } = needs;
  const readSession = createSessionReader(core);
  const callers = new WeakMap<Request, AuthUser>();
  const greetingOf = createGreetings(core, needs);
  const channelDeps: SseChannelDeps = {
    clock,
    log,
    cutOff,
    clientAddress,
    streams: { ...config.streams, perAudience: MAX_STREAMS_A_USER },
    pingMs,
    resume: null,
    isOver: (request) => readSession(callers.get(request)?.sessionId ?? '') === null,
  };
  const channel = createSseChannel<AlertStreamEvents>(channelDeps);
  /** What windows were told of, in the order of the triggers' ids; some may wait to be told. */
  const told: StreamPlace = { alert: 0, scan: 0 };

  return {
    /** To be called before the first trigger: what is older was told by an earlier run. */
    begin: (): void => void Object.assign(told, newestPlace(needs)),
    open(request: Request, user: AuthUser): Response {
      callers.set(request, user);
      return channel.open(request, greetingOf(user), audienceOf(user.id));
    },
    /** Tells the owner of an alert that it fired, where a window of theirs listens. */
    triggered(trigger: Trigger): void {
      const audience = audienceOf(trigger.userId);
      told.alert = Math.max(told.alert, trigger.id);
      const row = channel.hasAudience(audience) && store.own(trigger.userId, trigger.alertId);
      if (!row) return;
      const stock = market.get(trigger.symbol) ?? null;
      const event = toEvent(trigger, toAlert(row), stock, label());
      channel.sendTo(audience, 'alert_triggered', placeId(told), event);
    },
    /** Tells a user's windows of a change; without an alert it was the symbol's place on the watchlist. */
    changed: (userId: number, alertId: number | null, symbol: string): void =>
      channel.sendTo(audienceOf(userId), 'alert_changed', null, { alertId, symbol }),
    /** Tells a user's windows of the account itself, of own calls and of alerts on whole scans. */
    notifier: {
      accountChanged: (userId, state) => channel.sendTo(audienceOf(userId), 'account_changed', null, state),
      sessionsEnded: (userId) => channel.sendTo(audienceOf(userId), 'sessions_ended', null, {}),
      callsChanged: (userId) => channel.sendTo(audienceOf(userId), 'calls_changed', null, {}),
      scanAlertTriggered(userId, event) {
        told.scan = Math.max(told.scan, event.triggerId);
        channel.sendTo(audienceOf(userId), 'scan_alert_triggered', placeId(told), event);
      },
      scanAlertChanged: (userId, scanAlertId) =>
        channel.sendTo(audienceOf(userId), 'scan_alert_changed', null, { scanAlertId }),
    } satisfies AccountNotifier & CallsNotifier & ScanAlertNotifier,
    stats: channel.stats,
    /** Ends every stream. */
    close: channel.close,
  };
}

export type AlertStream = ReturnType<typeof createAlertStream>;

/** GET /user/alerts/stream; the token stands in the query, as a browser can't send it otherwise. */
export const streamRoutes = (auth: Auth, stream: AlertStream, keepOpen: Connections['keepOpen']) =>
  new Elysia({ name: 'alerts.stream', prefix: '/user/alerts' }).use(auth).get(
    '/stream',
    ({ request, user }) => {
      if (request.method === 'GET') keepOpen(request);
      return stream.open(request, user);
    },
    { streamLevel: 1 },
  );
