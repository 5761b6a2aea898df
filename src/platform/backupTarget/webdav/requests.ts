import { type Scheduler, timerScheduler } from '#lib/scheduler.ts';
import { refusalOf, WebDavError, type WebDavMethod, type WebDavPlace } from './errors.ts';

/** How long a server may take, ms. */
export type WebDavLimits = {
  /** For an answer without a file. */
  answer: number;
  /** While nothing of a file moves. */
  still: number;
  /** From the last byte of a file that was sent, or to another name for it, until the answer: what scans or moves it takes time. */
  settle: number;
};

export const LIMITS: WebDavLimits = { answer: 60_000, still: 120_000, settle: 600_000 };

export type WebDavRequest = {
  method: WebDavMethod;
  /** In the folder; '' is the folder itself. */
  name: string;
  headers?: Record<string, string>;
  body?: string | ReadableStream<Uint8Array>;
  patience: Patience;
};

/** Ends a request that nothing came of for too long. */
export class Patience {
  readonly #limit = new AbortController();
  #cancel: () => void;

  constructor(
    ms: number,
    private readonly schedule: Scheduler = timerScheduler,
  ) {
    this.#cancel = this.#after(ms);
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  /** Something moved: from now on it may take so long again. */
  renew(ms: number): void {
    this.#cancel();
    this.#cancel = this.#after(ms);
  }

  end(): void {
    this.#cancel();
  }

  /** What ran out of time is told so. */
  reasonOf(error: unknown): unknown {
    return this.#limit.signal.aborted ? new WebDavError('it did not answer in time') : error;
  }

  #after(ms: number): () => void {
    return this.schedule(ms, () => this.#limit.abort());
  }
}

const basic = ({ user, password }: WebDavPlace): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export const addressOf = ({ url }: WebDavPlace, name: string): string => `${url}/${encodeURIComponent(name)}`;

/** How the new name may be written: a server behind a proxy knows itself by http, some take the path alone. */
export function destinationsOf(address: string): string[] {
  const { protocol, pathname } = new URL(address);
  return [...new Set([address, address.replace(protocol, 'http:'), pathname])];
}

/**
 * Makes one request. The password goes to the server of the settings alone: no redirect is followed. Nothing is unpacked, as
 * the runtime's own unpacking knows no limit.
 *
 * @returns the answer, whatever its status; its body is the caller's to read or to cancel, within the same patience
 * @throws WebDavError when it took too long, else the error of the connection
 */
export async function request(
  place: WebDavPlace,
  { method, name, headers = {}, body, patience }: WebDavRequest,
): Promise<Response> {
  try {
    return await fetch(addressOf(place, name), {
      method,
      headers: { authorization: basic(place), 'accept-encoding': 'identity', ...headers },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      decompress: false,
      timeout: false,
      signal: patience.signal,
      // A connection that the server closed meanwhile would break off a body that can't be sent again.
      keepalive: method !== 'PUT',
    });
  } catch (error) {
    throw patience.reasonOf(error);
  }
}

/** Makes a request whose answer has no body that is read. @throws WebDavError for a status that is not among these */
export async function settled(
  place: WebDavPlace,
  asked: WebDavRequest,
  allowed: readonly number[],
): Promise<number> {
  try {
    const answer = await request(place, asked);
    await answer.body?.cancel();
    if (!allowed.includes(answer.status)) throw refusalOf(answer, asked.method);
    return answer.status;
  } finally {
    asked.patience.end();
  }
}
