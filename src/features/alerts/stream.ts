import { Elysia } from 'elysia';
import type { AccountState, AccountTeller } from '../../domain/accounts/accountState.ts';
import type { Alert } from '../../domain/alerts/alert.ts';
import { alertMessage, alertNote } from '../../domain/alerts/alertMessage.ts';
import type { AlertStreamEvents } from '../../domain/alerts/alertView.ts';
import type { Trigger } from '../../domain/alerts/trigger.ts';
import type { CallsTeller } from '../../domain/calls/types.ts';
import type { Stock } from '../../domain/market/stock.ts';
import type { ScanAlertTeller } from '../../domain/scanAlerts/scanTrigger.ts';
import { type Auth, type AuthUser, createSessionReader } from '../../http/auth.ts';
import type { Connections } from '../../http/connections.ts';
import type { Market } from '../../market/types.ts';
import type { Core } from '../../part.ts';
import { type Greeting, lastEventId } from '../../stream/sse/answer.ts';
import { createSseChannel, type SseChannelDeps } from '../../stream/sse/channel.ts';
import type { OpeningStep } from '../../stream/sse/client.ts';
import { packEvent } from '../../stream/sse/event.ts';
import type { Message } from '../../stream/sse/message.ts';
import { type AlertStore, toAlert } from './store.ts';

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
  /** How often it pings; for tests. */
  pingMs?: number | undefined;
};

const audienceOf = (userId: number): string => String(userId);

/** An event's id is that of its trigger, so that a client can be told what it missed, also by a later run. */
const idOf = (triggerId: number): string => String(triggerId);

/** The trigger that an id names; null when it names none. */
function readId(id: string | null): number | null {
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null;
}

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

const READ_ALL: Message = packEvent('alert_changed', null, { alertId: null, symbol: null });

/** What a user who opens the stream is told first, and what one who read too slowly is told of what went by. */
function createGreetings(core: AlertStreamCore, { store, label, accountOf }: AlertStreamNeeds) {
  /** Says where the client is, from which it may go on. */
  const here = (newest: number): Message => packEvent('ping', idOf(newest), { time: core.clock.now() });

  /** A client that was away may have missed a change. */
  const account = (userId: number): Message[] => {
    const state = accountOf(userId);
    return state === null ? [] : [packEvent('account_changed', null, state)];
  };

  function openingOf(request: Request, user: AuthUser): OpeningStep {
    const newest = store.newestTrigger();
    const last = readId(lastEventId(request));
    if (last === null) return { messages: [...account(user.id), here(newest)], next: null };
    const missed = store.triggersAfter(user.id, last, core.clock.now() - MISSED_MS, MAX_MISSED);
    const events = missed
      .toReversed()
      .map(({ trigger, alert }) =>
        packEvent('alert_triggered', idOf(trigger.id), toEvent(trigger, alert, null, label())),
      );
    return { messages: [...account(user.id), ...events, READ_ALL, here(newest)], next: null };
  }

  return (user: AuthUser): Greeting => ({
    opening: (request) => openingOf(request, user),
    refresh: () => ({ messages: [...account(user.id), READ_ALL], next: null }),
  });
}

/**
 * The stream of each user's own alerts (specification 7.3): what fired, and what was changed anywhere. A client that
 * names the last event it got is told the triggers of the last day since then, from the database.
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

  return {
    open(request: Request, user: AuthUser): Response {
      callers.set(request, user);
      return channel.open(request, greetingOf(user), audienceOf(user.id));
    },
    /** Tells the owner of an alert that it fired, where a window of theirs listens. */
    triggered(trigger: Trigger): void {
      const audience = audienceOf(trigger.userId);
      const row = channel.hasAudience(audience) && store.own(trigger.userId, trigger.alertId);
      if (!row) return;
      const stock = market.get(trigger.symbol) ?? null;
      const event = toEvent(trigger, toAlert(row), stock, label());
      channel.sendTo(audience, 'alert_triggered', idOf(trigger.id), event);
    },
    /** Tells a user's windows of a change; without an alert it was the symbol's place on the watchlist. */
    changed: (userId: number, alertId: number | null, symbol: string): void =>
      channel.sendTo(audienceOf(userId), 'alert_changed', null, { alertId, symbol }),
    /** Tells a user's windows of the account itself, of own calls and of alerts on whole scans. */
    teller: {
      accountChanged: (userId, state) => channel.sendTo(audienceOf(userId), 'account_changed', null, state),
      sessionsEnded: (userId) => channel.sendTo(audienceOf(userId), 'sessions_ended', null, {}),
      callsChanged: (userId) => channel.sendTo(audienceOf(userId), 'calls_changed', null, {}),
      scanAlertTriggered: (userId, event) =>
        channel.sendTo(audienceOf(userId), 'scan_alert_triggered', null, event),
      scanAlertChanged: (userId, scanAlertId) =>
        channel.sendTo(audienceOf(userId), 'scan_alert_changed', null, { scanAlertId }),
    } satisfies AccountTeller & CallsTeller & ScanAlertTeller,
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
