import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { Repetition, type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import type { StreamEvents } from '#market/rules/stream.ts';
import { marketGreeting, Snapshots } from '#market/stream/snapshots.ts';
import type { Connections } from '#platform/http/connections.ts';
import { refusalResponse } from '#platform/http/errors.ts';
import { streamToken } from '#platform/http/requestToken.ts';
import type { About } from '#platform/install/about.ts';
import { type Greeting, lastEventId, type StreamLimits } from '#platform/sse/answer.ts';
import { SseChannel } from '#platform/sse/channel.ts';
import { loneMessage, type Message, packedMessage, packEvent, toBytes } from '#platform/sse/message.ts';
import { MAX_ID_LENGTH, MAX_TOKEN_LENGTH } from '#subjects/relays/contract.ts';
import { type AudienceMessage, PROTOCOL, type SessionsMessage } from '../redis/relayMessage.ts';
import {
  alertStreams,
  type Redis,
  leastReported,
  marketStreams,
  type OpenStreams,
  type RelayReport,
} from '../redis/types.ts';
import { Follower, type StreamSession } from './follower.ts';
import type { MarketCopy } from './marketCopy.ts';
import { type AlertOpening, type PrimaryClient, unreachable } from './primaryClient.ts';

const MAX_STREAMS_A_USER = 50;
/** Messages buffered while the primary is asked. A client that exceeds it reconnects. */
const MAX_WAITING = 500;
const PING_MS = 10_000;

type AlertStreamsDeps = {
  /** The primary's clock, because login sessions end by it. */
  clock: SystemClock;
  log: Log;
  cutOff(request: Request): void;
  clientAddress(request: Request): string;
  streams(): StreamLimits | undefined;
  /** Streams of the other processes: of an address, null for all. */
  elsewhere(address: string | null): number;
  /** See `PrimaryClient`. A refusal is returned to the caller. */
  askOpening(request: Request, token: string, lastEventId: string | null): Promise<AlertOpening | Response>;
  goodSessions(tokens: readonly string[]): Promise<readonly boolean[]>;
  notNow(): Response;
};

type Caller = { userId: number; token: string; expiresAt: number };

/** Events since the primary was asked, which its answer may not include. */
class Since {
  readonly #messages: { audience: string; message: Message }[] = [];
  readonly ended = new Set<number>();
  isLost = false;

  add(audience: string, message: Message): void {
    if (this.#messages.length >= MAX_WAITING) this.isLost = true;
    else this.#messages.push({ audience, message });
  }

  of(audience: string): Message[] {
    if (this.isLost) throw new Error('Too many alert events arrived before the stream was open');
    return this.#messages.filter((one) => one.audience === audience).map(({ message }) => message);
  }
}

type Channel = SseChannel<Record<never, never>>;

const READ_ALL = { alertId: null, symbol: null };

const messagesOf = ({ messages }: AlertOpening): Message[] =>
  messages.map((text) => loneMessage(toBytes(text)));

/**
 * Alert streams of users on a relay. The primary says once who a stream is for and how it begins; later
 * messages go to its audience.
 */
class AlertStreams {
  #channel: Channel | null = null;
  readonly #callers = new WeakMap<Request, Caller>();
  readonly #opening = new Set<Since>();
  #bytes = 0;

  constructor(private readonly deps: AlertStreamsDeps) {}

  async open(request: Request): Promise<Response> {
    const token = streamToken(request) ?? '';
    const since = this.#listen();
    try {
      const answer = await this.deps.askOpening(request, token, lastEventId(request));
      if (answer instanceof Response) return answer;
      if (since.isLost || request.signal.aborted) return this.deps.notNow();
      return this.#join(request, token, answer, since);
    } finally {
      this.#opening.delete(since);
    }
  }

  readonly audience = ({ audience, block }: AudienceMessage): void => {
    const message = packedMessage(block);
    for (const since of this.#opening) since.add(audience, message);
    this.#channel?.forwardTo(audience, message);
  };

  /** Only the primary knows which sessions ended. */
  readonly sessions = ({ userId }: SessionsMessage): void => {
    for (const since of this.#opening) since.ended.add(userId);
    void this.#endOver(userId);
  };

  /** Messages may be missing, so all clients reconnect and the primary is asked again. */
  readonly missed = (): void => {
    for (const since of this.#opening) since.isLost = true;
    this.close();
  };

  figures(): { pages: number; bytes: number } {
    const { clients = 0, bytes = 0 } = this.#channel?.stats() ?? {};
    return { pages: clients, bytes: this.#bytes + bytes };
  }

  addresses(least: number): Record<string, number> {
    return this.#channel?.openStreams(least).addresses ?? {};
  }

  close(): void {
    const old = this.#channel;
    this.#channel = null;
    old?.close();
    this.#bytes += old?.stats().bytes ?? 0;
  }

  #makeChannel(): Channel {
    const { clock, log, cutOff, clientAddress, streams, elsewhere } = this.deps;
    const { all = Number.POSITIVE_INFINITY, perAddress = Number.POSITIVE_INFINITY } = streams() ?? {};
    return new SseChannel({
      clock,
      log,
      cutOff,
      clientAddress,
      elsewhere,
      pingMs: PING_MS,
      resume: null,
      streams: { all, perAddress, perAudience: MAX_STREAMS_A_USER },
      isOver: (request) => (this.#callers.get(request)?.expiresAt ?? 0) <= clock.now(),
    });
  }

  #listen(): Since {
    const since = new Since();
    this.#opening.add(since);
    return since;
  }

  #join(request: Request, token: string, opening: AlertOpening, since: Since): Response {
    const { userId, audience, expiresAt } = opening;
    this.#callers.set(request, { userId, token, expiresAt });
    const joined = this.#listen();
    const stop = (): void => void this.#opening.delete(joined);
    request.signal.addEventListener('abort', stop, { once: true });
    const greeting: Greeting = {
      opening: () => {
        stop();
        return {
          messages: [...messagesOf(opening), ...since.of(audience), ...joined.of(audience)],
          next: null,
        };
      },
      refresh: () => this.#refreshed(request, token, audience),
    };
    const response = (this.#channel ??= this.#makeChannel()).open(request, greeting, audience);
    if (!response.ok) stop();
    if (since.ended.has(userId)) void this.#endOver(userId);
    return response;
  }

  /** Asks the primary again for a client that read too slowly. */
  #refreshed(request: Request, token: string, audience: string): ReturnType<Greeting['refresh']> {
    const since = this.#listen();
    let messages: Message[] = [];
    const asked = this.deps.askOpening(request, token, null).then((answer) => {
      if (answer instanceof Response) throw new Error('The primary refused an open stream');
      messages = [...messagesOf(answer), packEvent('alert_changed', null, READ_ALL)];
    });
    const stop = (): void => void this.#opening.delete(since);
    request.signal.addEventListener('abort', stop, { once: true });
    asked.catch(stop);
    const next = () => {
      stop();
      return { messages: [...messages, ...since.of(audience)], next: null };
    };
    return { messages: [], next, after: asked };
  }

  /** Ends streams of ended login sessions; all of the user's if the primary does not answer. */
  async #endOver(userId: number): Promise<void> {
    const tokens = [...this.#tokensOf(userId)];
    if (tokens.length === 0) return;
    let over = new Set(tokens);
    try {
      const good = await this.deps.goodSessions(tokens);
      over = new Set(tokens.filter((_, at) => good[at] !== true));
    } catch (error) {
      this.deps.log.warn(
        'The primary did not report which sessions have ended; closing all streams of the user',
        {
          error,
        },
      );
    }
    this.#channel?.endThose((request) => over.has(this.#callers.get(request)?.token ?? ''));
  }

  #tokensOf(userId: number): Set<string> {
    const tokens = new Set<string>();
    this.#channel?.endThose((request) => {
      const caller = this.#callers.get(request);
      if (caller?.userId === userId) tokens.add(caller.token);
      return false;
    });
    return tokens;
  }
}

type MarketHubDeps = {
  clock: SystemClock;
  log: Log;
  cutOff(request: Request): void;
  clientAddress(request: Request): string;
  elsewhere(address: string | null): number;
};

type SessionOf = {
  epoch: string;
  firstSeq: number;
  streams: StreamLimits;
  copy: MarketCopy;
};

/**
 * A relay's market stream for one session: the primary's events with its ids and blocks, and greetings from
 * the relay's own copy. It sends no pings, so that clients notice a silent primary.
 */
class MarketHub implements StreamSession {
  readonly epoch: string;
  readonly copy: MarketCopy;
  readonly #channel: SseChannel<StreamEvents>;
  readonly #greeting: Greeting;

  constructor(deps: MarketHubDeps, { epoch, firstSeq, streams, copy }: SessionOf) {
    this.epoch = epoch;
    this.copy = copy;
    const { clock } = deps;
    const channel = new SseChannel<StreamEvents>({ ...deps, epoch, firstSeq, streams, pingMs: null });
    const snapshots = new Snapshots({ read: () => copy.state(), channel, clock });
    this.#channel = channel;
    this.#greeting = marketGreeting(snapshots);
  }

  open(request: Request): Response {
    return this.#channel.open(request, this.#greeting);
  }

  forward(seq: number | null, message: Message): void {
    this.#channel.forward(seq, message);
  }

  seq(): number {
    return this.#channel.seq();
  }

  endAll(): void {
    this.#channel.endThose(() => true);
  }

  close(): void {
    this.#channel.close();
  }

  figures(): { pages: number; bytes: number } {
    const { clients, bytes } = this.#channel.stats();
    return { pages: clients, bytes };
  }

  addresses(least: number): Record<string, number> {
    return this.#channel.openStreams(least).addresses;
  }
}

const REPORT_MS = 2000;

type ReportingDeps = {
  engine: Pick<Redis, 'report' | 'reports' | 'primaryStreams' | 'unreport' | 'listen' | 'isUp'>;
  log: Log;
  own(): RelayReport;
  schedule?: Scheduler;
};

class Reporting {
  #others: readonly OpenStreams[] = [];
  #isBusy = false;
  #isStopped = false;
  readonly #repetition: Repetition;

  constructor(private readonly deps: ReportingDeps) {
    const { schedule = timerScheduler, log } = deps;
    const work = (): void => void this.#exchange();
    const failure = 'The relay could not send its report';
    this.#repetition = new Repetition({ schedule, everyMs: REPORT_MS, work, log, failure });
  }

  start(): void {
    this.deps.engine.listen({ up: () => void this.#exchange() });
    this.#repetition.start();
    void this.#exchange();
  }

  readonly marketElsewhere = (address: string | null): number => marketStreams(this.#others, address);

  readonly alertsElsewhere = (address: string | null): number => alertStreams(this.#others, address);

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#repetition.stop();
    if (!this.deps.engine.isUp()) return;
    try {
      await this.deps.engine.unreport(this.deps.own().id);
    } catch (error) {
      this.deps.log.debug('The relay could not remove its report; it expires soon', {
        error,
      });
    }
  }

  async #exchange(): Promise<void> {
    const { engine, own, log } = this.deps;
    if (this.#isBusy || this.#isStopped || !engine.isUp()) return;
    this.#isBusy = true;
    const report = own();
    try {
      await engine.report(report);
      const all = await engine.reports();
      const primary = await engine.primaryStreams();
      this.#others = [...all.filter(({ id }) => id !== report.id), ...(primary ? [primary] : [])];
    } catch (error) {
      log.debug('The relay could not send its report', { error });
    } finally {
      this.#isBusy = false;
    }
  }
}

/** Silence of the primary after which streams end, ms. It pings after 2 s without events. */
const RECEIVED_MS = 4000;
const CHECK_MS = 500;
const RETRY_AFTER = { 'retry-after': '3' };
const NOT_NOW = 'This relay has no connection to the main server at the moment. Try again shortly.';
const OTHER_PROTOCOL = 'This relay and the main server have incompatible versions. Tell the administrator.';

type LiveStreamsDeps = Pick<Connections, 'keepOpen' | 'cutOff' | 'clientAddress'> & {
  engine: Redis;
  primary: PrimaryClient;
  clock: SystemClock;
  log: Log;
  about: Pick<About, 'version' | 'commit'>;
  id: string;
  name: string;
};

export class LiveStreams {
  readonly #follower: Follower;
  readonly #alerts: AlertStreams;
  readonly #reporting: Reporting;
  readonly #silence: Repetition;
  readonly #startedAt: number;
  #hub: MarketHub | null = null;
  #bytes = 0;
  #isOtherReported = false;

  constructor(private readonly deps: LiveStreamsDeps) {
    const { engine, clock, log } = deps;
    this.#startedAt = clock.now();
    this.#reporting = new Reporting({ engine, log, own: () => this.#report() });
    this.#alerts = this.#makeAlerts();
    this.#follower = new Follower({
      engine,
      clock,
      log: log.child('follower'),
      begin: (kept, copy, firstSeq) => this.#begin({ ...kept, copy, firstSeq }),
      audience: this.#alerts.audience,
      sessions: this.#alerts.sessions,
      missed: this.#alerts.missed,
    });
    this.#silence = new Repetition({
      schedule: timerScheduler,
      everyMs: CHECK_MS,
      log,
      work: () => this.#endWhenSilent(),
      failure: 'Could not check the streams',
    });
  }

  start(): void {
    this.#follower.start();
    this.#reporting.start();
    this.#silence.start();
  }

  async stop(): Promise<void> {
    this.#silence.stop();
    this.#alerts.close();
    this.#follower.stop();
    await this.#reporting.stop();
  }

  market(request: Request): Response {
    const { session } = this.#follower.status;
    if (session === null || this.#hub === null || !this.#isReceived()) return this.#notNow();
    return this.#opened(request, this.#hub.open(request));
  }

  /** Answers GET /api/user/alerts/stream. Null without a token: the primary then refuses the request. */
  async alerts(request: Request): Promise<Response | null> {
    const token = streamToken(request);
    if (token === null || token.length > MAX_TOKEN_LENGTH) return null;
    if (this.#follower.status.session === null || !this.#isReceived()) return this.#notNow();
    return this.#opened(request, await this.#alerts.open(request));
  }

  #opened(request: Request, response: Response): Response {
    if (response.ok && response.body) this.deps.keepOpen(request);
    return response;
  }

  /** Whether the primary has another version, so that its pages differ from the relay's. */
  isOtherVersion(): boolean {
    const { kept } = this.#follower.status;
    const { version, commit } = this.deps.about;
    return kept !== null && (kept.version !== version || kept.commit !== commit);
  }

  figures() {
    const { session, receivedAt, position } = this.#follower.status;
    const { pages, alertPages } = this.#report();
    const receivedMs = receivedAt === null ? null : Math.round(this.deps.clock.monotonic() - receivedAt);
    return {
      isServing: session !== null && this.#isReceived(),
      heardMs: receivedMs,
      position,
      pages,
      alertPages,
    };
  }

  /** Ends the streams of a silent primary, so that pages show it and reconnect when it is back. */
  #endWhenSilent(): void {
    const pages = (this.#hub?.figures().pages ?? 0) + this.#alerts.figures().pages;
    if (pages === 0 || this.#follower.status.session === null || this.#isReceived()) return;
    this.deps.log.warn('The primary is silent: closing streams until it answers', { pages });
    this.#hub?.endAll();
    this.#alerts.missed();
  }

  #isReceived(): boolean {
    const { receivedAt } = this.#follower.status;
    return receivedAt !== null && this.deps.clock.monotonic() - receivedAt < RECEIVED_MS;
  }

  readonly #notNow = (): Response => {
    const { kept } = this.#follower.status;
    const isOther = kept !== null && kept.protocol !== PROTOCOL;
    if (isOther && !this.#isOtherReported)
      this.deps.log.warn(OTHER_PROTOCOL, { protocol: kept.protocol, own: PROTOCOL });
    this.#isOtherReported = isOther;
    return refusalResponse(503, isOther ? OTHER_PROTOCOL : NOT_NOW, { headers: RETRY_AFTER });
  };

  #begin(of: ConstructorParameters<typeof MarketHub>[1]): MarketHub {
    const { clock, log, cutOff, clientAddress } = this.deps;
    this.#bytes += this.#hub?.figures().bytes ?? 0;
    const elsewhere = this.#reporting.marketElsewhere;
    this.#hub = new MarketHub({ clock, log: log.child('stream'), cutOff, clientAddress, elsewhere }, of);
    return this.#hub;
  }

  #makeAlerts(): AlertStreams {
    const { clock, log, cutOff, clientAddress, primary } = this.deps;
    const now = (): number => this.#follower.status.session?.copy.now() ?? clock.now();
    return new AlertStreams({
      cutOff,
      clientAddress,
      log: log.child('alertStream'),
      notNow: this.#notNow,
      clock: { now, monotonic: () => clock.monotonic() },
      streams: () => this.#follower.status.kept?.streams,
      elsewhere: this.#reporting.alertsElsewhere,
      goodSessions: (tokens) => primary.goodSessions(tokens),
      async askOpening(request, token, sentId) {
        // The primary never issues such long ids, so this client starts again.
        const lastEventId = sentId !== null && sentId.length > MAX_ID_LENGTH ? null : sentId;
        try {
          return await primary.alertOpening({ token, lastEventId });
        } catch (error) {
          return unreachable(request, error);
        }
      },
    });
  }

  #report(): RelayReport {
    const { id, name, about } = this.deps;
    const { kept, position } = this.#follower.status;
    const market = this.#hub?.figures() ?? { pages: 0, bytes: 0 };
    const alerts = this.#alerts.figures();
    const least = leastReported(kept?.streams.perAddress ?? 0);
    return {
      protocol: PROTOCOL,
      version: about.version,
      commit: about.commit,
      id,
      name,
      startedAt: this.#startedAt,
      position,
      pages: market.pages,
      alertPages: alerts.pages,
      bytes: this.#bytes + market.bytes + alerts.bytes,
      addresses: this.#hub?.addresses(least) ?? {},
      alertAddresses: this.#alerts.addresses(least),
    };
  }
}
