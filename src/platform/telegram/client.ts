import { type ApiClientOptions, Bot } from 'grammy';
import { type HttpClient, retryAfterMs } from '#lib/httpClient/client.ts';
import { isRecord } from '#lib/json.ts';
import type { App } from '#platform/app.ts';
import { CallError, callPlatform, type PlatformAnswer } from '../chatClients/platformCall.ts';

export type BotInfo = { id: number; username: string };

export type Telegram = {
  bot: Bot;
  self: BotInfo | null;
};

/** How long Telegram may hold a call for updates. */
export const LONG_POLL_SECONDS = 30;

const TIMEOUT_MS = 15_000;
const LONG_POLL_TIMEOUT_MS = (LONG_POLL_SECONDS + 15) * 1000;
const MAX_BYTES = 8 * 1024 * 1024;

type Init = {
  body?: unknown;
  signal?: { aborted: boolean; addEventListener(type: 'abort', run: () => void): void };
};

/** Telegram's answer, or a substitute if a proxy answered. */
function telegramBody({ status, headers, body }: PlatformAnswer, now: number): unknown {
  if (isRecord(body) && body['ok'] === true && 'result' in body) return body;
  if (isRecord(body) && body['ok'] === false && typeof body['error_code'] === 'number') {
    const { description, parameters } = body;
    return {
      ...body,
      description: typeof description === 'string' ? description : 'no reason given',
      parameters: isRecord(parameters) ? parameters : {},
    };
  }
  if (status !== 429) throw new CallError('sent an answer in an unknown format', status < 400);
  const waitMs = retryAfterMs(headers.get('retry-after'), now);
  const parameters = waitMs === null ? {} : { retry_after: Math.ceil(waitMs / 1000) };
  return { ok: false, error_code: 429, description: 'Too Many Requests', parameters };
}

/** The `fetch` of grammY: counted, limited, with errors that contain no address, because it contains the token. */
function telegramFetch(http: HttpClient, now: () => number) {
  return async (url: string, { body, signal }: Init): Promise<Response> => {
    const method = url.slice(url.lastIndexOf('/') + 1);
    const stop = new AbortController();
    if (signal?.aborted) stop.abort();
    signal?.addEventListener('abort', () => stop.abort());
    const answer = await callPlatform(http, {
      method: 'POST',
      url,
      endpoint: `telegram/bot:token/${method}`,
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : '{}',
      timeoutMs: method === 'getUpdates' ? LONG_POLL_TIMEOUT_MS : TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal: stop.signal,
    });
    return Response.json(telegramBody(answer, now()));
  };
}

/**
 * The one connection to Telegram. Making it sends nothing. Calls fail with `GrammyError` if Telegram refused,
 * otherwise with `HttpError` whose `error` is a `CallError`.
 * @returns null without a token
 */
export function createTelegram({ config, http, clock }: App): Telegram | null {
  const { token, url } = config.telegram;
  if (token === null) return null;
  // grammY declares the form of node-fetch, but uses only the members above.
  const fetch = telegramFetch(http, () => clock.now()) as unknown as NonNullable<ApiClientOptions['fetch']>;
  return { bot: new Bot(token, { client: { apiRoot: url, fetch } }), self: null };
}
