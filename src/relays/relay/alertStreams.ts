import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { streamToken } from '#platform/http/requestToken.ts';
import { type Greeting, lastEventId, type StreamLimits } from '#platform/sse/answer.ts';
import { SseChannel } from '#platform/sse/channel.ts';
import { packEvent, toBytes } from '#platform/sse/event.ts';
import { loneMessage, type Message, packedMessage } from '#platform/sse/message.ts';
import type { AudienceFrame, SessionsFrame } from '../engine/frame.ts';
import type { AlertOpening } from './primaryClient.ts';

const MAX_STREAMS_A_USER = 50;
/** Messages buffered while the primary is asked. A client that exceeds it reconnects. */
const MAX_WAITING = 500;
const PING_MS = 10_000;

export type AlertStreamsDeps = {
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

  /** @throws if events may be missing; the stream then ends and its client reconnects */
  of(audience: string): Message[] {
    if (this.isLost) throw new Error('Too much happened before the stream of alerts was open');
    return this.#messages.filter((one) => one.audience === audience).map(({ message }) => message);
  }
}

type Channel = SseChannel<Record<never, never>>;

const READ_ALL = { alertId: null, symbol: null };

const messagesOf = ({ messages }: AlertOpening): Message[] =>
  messages.map((text) => loneMessage(toBytes(text)));

/**
 * Alert streams of users on a relay. The primary says once who a stream is for and how it begins; later
 * frames go to its audience.
 */
export class AlertStreams {
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

  readonly audience = ({ audience, block }: AudienceFrame): void => {
    const message = packedMessage(block);
    for (const since of this.#opening) since.add(audience, message);
    this.#channel?.forwardTo(audience, message);
  };

  /** Only the primary knows which sessions ended. */
  readonly sessions = ({ userId }: SessionsFrame): void => {
    for (const since of this.#opening) since.ended.add(userId);
    void this.#endOver(userId);
  };

  /** Frames may be missing, so all clients reconnect and the primary is asked again. */
  readonly missed = (): void => {
    for (const since of this.#opening) since.isLost = true;
    this.close();
  };

  figures(): { pages: number; bytes: number } {
    const { clients = 0, bytes = 0 } = this.#channel?.stats() ?? {};
    return { pages: clients, bytes: this.#bytes + bytes };
  }

  /** Streams by address, for addresses with at least `least`. */
  addresses(least: number): Record<string, number> {
    return this.#channel?.openStreams(least).addresses ?? {};
  }

  /** Ends every stream and tells clients when to reconnect. */
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
      if (answer instanceof Response) throw new Error('The primary refused a stream that was open');
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
      this.deps.log.warn('The primary did not say which sessions have ended; all streams of the user end', {
        error,
      });
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
