import { connect, isIP } from 'node:net';
import { connect as connectSafely } from 'node:tls';
import { errorCode } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { Repetition, type Scheduler } from '#lib/scheduler.ts';
import type { RedisListener } from './types.ts';

const PROTOCOLS = ['redis:', 'rediss:'];

const USUAL_PORT = 6379;

type RedisAddress = { url: string; shown: string; host: string; port: number; isSecure: boolean };

/** @param text redis[s]://[user:password@]host[:port][/database] @returns null for another form */
export function readEngineAddress(text: string): RedisAddress | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!PROTOCOLS.includes(url.protocol) || url.hostname === '') return null;
  if (!/^(?:\/\d{0,4})?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return null;
  return {
    url: text,
    shown: `${url.protocol}//${url.host}${url.pathname}`,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || USUAL_PORT),
    isSecure: url.protocol === 'rediss:',
  };
}

/**
 * `down`: no answer. `order`: Redis has a message at this position or later. `full`: no memory. `none`: the
 * entry is missing. `kind`: the key has another type.
 */
type RedisReason = 'down' | 'order' | 'full' | 'none' | 'kind' | 'refused';

export class RedisError extends Error {
  override name = 'EngineError';

  constructor(
    message: string,
    readonly reason: RedisReason = 'refused',
  ) {
    super(message);
  }
}

const MAX_WORDS = 200;

/** Sentences for the operator, by the first word of the error. */
const REFUSALS: Readonly<Record<string, string>> = {
  NOAUTH: 'Redis requires a password. Add it to BELLBIRD_ENGINE_URL, as in redis://:password@host.',
  WRONGPASS: 'Redis rejects the user and password in BELLBIRD_ENGINE_URL.',
  READONLY: 'This Redis is a read-only replica. Set BELLBIRD_ENGINE_URL of the primary to the Redis master.',
  LOADING: 'Redis is still loading its data.',
  MASTERDOWN: 'This Redis is a replica without a connection to its master.',
  NOREPLICAS: 'Redis refuses writes because it has too few replicas.',
  MISCONF: 'Redis refuses writes because it cannot write to its disk.',
  DENIED: 'Redis is in protected mode and only answers its own machine. Give it a password.',
};

const CLOSED_CODES = ['ERR_REDIS_CONNECTION_CLOSED', 'ERR_REDIS_CONNECTION_TIMEOUT'];
const ANSWER_CODES = ['ERR_REDIS_SERVER_ERROR', 'ERR_REDIS_AUTHENTICATION_FAILED'];

const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, MAX_WORDS);

function refusal(words: string, command: string): RedisError {
  const [first = ''] = words.split(' ');
  if (first === 'OOM') {
    return new RedisError('Redis is full. Raise its `maxmemory`.', 'full');
  }
  if (words.includes('equal or smaller') || words.includes('exhausted the last possible ID')) {
    return new RedisError('Redis already has a message at this position or a later one.', 'order');
  }
  if (words.endsWith('no such key')) {
    return new RedisError('Redis does not have this key.', 'none');
  }
  if (first === 'WRONGTYPE') {
    return new RedisError('Another program uses a key of Bellbird in Redis.', 'kind');
  }
  if (first === 'NOPERM') {
    return new RedisError(`The user in BELLBIRD_ENGINE_URL may not do this in Redis: ${words}`);
  }
  return new RedisError(REFUSALS[first] ?? `Redis refused ${command}: ${words}`);
}

/**
 * Converts an error of the Redis client.
 * @param command that failed, for instance XADD
 * @param shown the address without credentials
 */
function engineProblem(error: unknown, command: string, shown: string): RedisError {
  const code = errorCode(error);
  if (ANSWER_CODES.includes(code)) return refusal(wordsOf(error), command);
  if (CLOSED_CODES.includes(code)) {
    return new RedisError(`Redis at ${shown} does not answer.`, 'down');
  }
  return new RedisError(`The connection to Redis at ${shown} failed: ${wordsOf(error)}`, 'down');
}

/** Time for an answer, ms, in addition to a requested wait. */
const ANSWER_MS = 3000;
/** A busy process reads late, so an answer may be late by this, ms. */
const GRACE_MS = 200;
const MAX_WAITING = 5000;

type LinkOptions = {
  url: string;
  shown: string;
  schedule: Scheduler;
  /** Called when the connection is lost, but not after `close`. */
  onLost(link: Link, problem: RedisError): void;
};

class Link {
  readonly #client: Bun.RedisClient;
  readonly #fail = new Set<(problem: RedisError) => void>();
  #ended: RedisError | null = null;

  constructor(private readonly options: LinkOptions) {
    this.#client = new Bun.RedisClient(options.url, {
      autoReconnect: false,
      maxRetries: 0,
      // Only commands queued during the greeting receive its error.
      enableOfflineQueue: true,
      connectionTimeout: ANSWER_MS,
    });
    this.#client.onclose = () => this.#lose(this.#silent('closed the connection'));
  }

  async open(): Promise<void> {
    await this.ask('PING', []);
  }

  ask(command: string, args: string[], waitMs = 0): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.#fail.size >= MAX_WAITING) {
      return Promise.reject(new RedisError('Redis does not keep up with the commands.'));
    }
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        cancel();
        this.#fail.delete(fail);
        act();
      };
      const fail = (problem: RedisError): void => settle(() => reject(problem));
      let cancel = this.options.schedule(waitMs + ANSWER_MS, () => {
        cancel = this.options.schedule(GRACE_MS, () => this.#lose(this.#silent('does not answer')));
      });
      this.#fail.add(fail);
      this.#client.send(command, args).then(
        (answer: unknown) => settle(() => resolve(answer)),
        (error: unknown) => fail(engineProblem(error, command, this.options.shown)),
      );
    });
  }

  close(): void {
    this.#ended ??= new RedisError('The connection to Redis is closed.', 'down');
    this.#failAll(this.#ended);
  }

  #silent(what: string): RedisError {
    return new RedisError(`Redis at ${this.options.shown} ${what}.`, 'down');
  }

  #lose(problem: RedisError): void {
    if (this.#ended) return;
    this.#ended = problem;
    // The client reports its close first and the cause of each failed command afterwards.
    this.options.schedule(0, () => {
      this.#failAll(problem);
      this.options.onLost(this, problem);
    });
  }

  #failAll(problem: RedisError): void {
    for (const fail of [...this.#fail]) fail(problem);
    this.#client.close();
  }
}

const LIMIT_MS = 3000;

const SENTENCES: Readonly<Record<string, (shown: string) => string>> = {
  ECONNREFUSED: (shown) => `Redis is not running at ${shown}.`,
  ENOTFOUND: (shown) => `The host name of Redis, ${shown}, is unknown.`,
  EAI_AGAIN: (shown) => `The host name of Redis, ${shown}, cannot be looked up now.`,
};

function sentence({ shown, isSecure }: RedisAddress, error: Error): string | null {
  const known = SENTENCES[errorCode(error)];
  if (known) return known(shown);
  return isSecure && /certificate|cert_|altname/i.test(`${errorCode(error)} ${error.message}`)
    ? `The certificate of Redis at ${shown} is not trusted: ${error.message}.`
    : null;
}

/** Finds why no connection can be opened; the Redis client does not report it. @returns null if unknown */
function whyUnreachable(address: RedisAddress, schedule: Scheduler): Promise<string | null> {
  const { host, port, isSecure, shown } = address;
  return new Promise((resolve) => {
    const end = (reason: string | null): void => {
      cancel();
      socket.destroy();
      resolve(reason);
    };
    const cancel = schedule(LIMIT_MS, () =>
      end(isSecure ? `Redis at ${shown} does not use TLS. Try redis:// in BELLBIRD_ENGINE_URL.` : null),
    );
    const socket = isSecure
      ? connectSafely({ host, port, ...(isIP(host) ? {} : { servername: host }) }, () => end(null))
      : connect({ host, port }, () => end(null));
    socket.unref();
    socket.on('error', (error) => end(sentence(address, error)));
  });
}

const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 5000;
/** After a connection of this length, in ms, the retry waits start again from the shortest. */
const CALM_MS = 5000;
const WATCH_MS = 5000;

type ConnectionOptions = {
  address: RedisAddress;
  log: Log;
  schedule: Scheduler;
};

export class Connection {
  readonly #listeners: RedisListener[] = [];
  readonly #watch: Repetition;
  readonly #links = new Set<Link>();
  #calls: Link | null = null;
  /** A second connection for blocking reads, opened at the first one. */
  #reading: Promise<Link> | null = null;
  #isUp = false;
  #problem: RedisError = new RedisError('The connection to Redis has not been started.', 'down');
  #isDownReported = false;
  #waitMs = FIRST_WAIT_MS;
  #cancelWait: () => void = () => undefined;
  #cancelCalm: () => void = () => undefined;
  #isStarted = false;
  #isStopped = false;

  constructor(private readonly options: ConnectionOptions) {
    this.#watch = new Repetition({
      schedule: options.schedule,
      everyMs: WATCH_MS,
      work: () => this.#check(),
      log: options.log,
      failure: 'Could not check the connection to Redis',
    });
  }

  start(): void {
    if (this.#isStarted || this.#isStopped) return;
    this.#isStarted = true;
    this.#problem = new RedisError('Bellbird is connecting to Redis.', 'down');
    this.#watch.start();
    void this.#connect();
  }

  stop(): void {
    this.#isStopped = true;
    this.#problem = new RedisError('The connection to Redis is closed.', 'down');
    this.#isUp = false;
    this.#watch.stop();
    this.#cancelWait();
    this.#cancelCalm();
    this.#closeLinks();
  }

  isUp(): boolean {
    return this.#isUp;
  }

  problem(): string | null {
    return this.#isUp ? null : this.#problem.message;
  }

  listen(listener: RedisListener): void {
    this.#listeners.push(listener);
  }

  ask(command: string, args: string[]): Promise<unknown> {
    if (!this.#isUp || !this.#calls) return Promise.reject(this.#problem);
    return this.#calls.ask(command, args);
  }

  /** Like `ask`, on the connection for blocking reads. @param waitMs the wait of the command */
  async askSlowly(command: string, args: string[], waitMs: number): Promise<unknown> {
    if (!this.#isUp) throw this.#problem;
    const reading = (this.#reading ??= this.#open());
    const link = await reading.catch((error: unknown) => {
      if (this.#reading === reading) this.#goDown(this.#asEngineError(error));
      throw error;
    });
    return await link.ask(command, args, waitMs);
  }

  async #open(): Promise<Link> {
    const { address, schedule } = this.options;
    const link = new Link({ ...address, schedule, onLost: (lost, problem) => this.#lost(lost, problem) });
    this.#links.add(link);
    try {
      await link.open();
      return link;
    } catch (error) {
      this.#links.delete(link);
      link.close();
      throw await this.#explained(error);
    }
  }

  #asEngineError(error: unknown): RedisError {
    return error instanceof RedisError
      ? error
      : engineProblem(error, 'a connection', this.options.address.shown);
  }

  async #explained(error: unknown): Promise<RedisError> {
    const problem = this.#asEngineError(error);
    if (problem.reason !== 'down' || this.#isStopped) return problem;
    const why = await whyUnreachable(this.options.address, this.options.schedule);
    return why === null ? problem : new RedisError(why, 'down');
  }

  async #connect(): Promise<void> {
    try {
      this.#calls = await this.#open();
    } catch (error) {
      this.#goDown(this.#asEngineError(error));
      return;
    }
    if (this.#isStopped) return;
    this.#isUp = true;
    this.#isDownReported = false;
    this.#cancelCalm = this.options.schedule(CALM_MS, () => {
      this.#waitMs = FIRST_WAIT_MS;
    });
    for (const listener of this.#listeners) this.#notify(() => listener.up?.());
  }

  #lost(link: Link, problem: RedisError): void {
    if (this.#isUp && this.#links.has(link)) this.#goDown(problem);
  }

  #goDown(problem: RedisError): void {
    this.#isUp = false;
    this.#cancelCalm();
    this.#closeLinks();
    if (this.#isStopped) return;
    this.#problem = problem;
    this.#cancelWait = this.options.schedule(this.#waitMs, () => void this.#connect());
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_WAIT_MS);
    if (this.#isDownReported) return;
    this.#isDownReported = true;
    for (const listener of this.#listeners) this.#notify(() => listener.down?.(problem.message));
  }

  #closeLinks(): void {
    const links = [...this.#links];
    this.#links.clear();
    this.#calls = null;
    this.#reading = null;
    for (const link of links) link.close();
  }

  #check(): void {
    const asked = this.#calls?.ask('PING', []);
    asked?.catch((error: unknown) => this.options.log.debug('Redis did not answer', { error }));
  }

  #notify(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.options.log.error('A part failed when the connection to Redis changed', { error });
    }
  }
}
