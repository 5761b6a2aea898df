import type { HttpClient } from '#lib/httpClient/client.ts';
import { parseJson } from '#lib/json.ts';
import { nextTurn } from '#lib/nextTurn.ts';
import { failed } from '#lib/result.ts';
import { estimatedUsage } from './answer.ts';
import { failureError, timeoutError, tooLargeError, unusableError } from './sentences.ts';

/** The server did not understand the request, which may be put otherwise. */
export class RequestRefused extends Error {
  override name = 'RequestRefused';
  /** @param reason what it said; it may repeat what was sent, so it is neither logged nor shown */
  constructor(
    readonly status: number,
    readonly reason: string,
  ) {
    super(`refused with status ${status}`);
  }
}

/** Each token comes in some 250 bytes of JSON, or 600 with those thought aloud twice, and the most asked for are 2,000. */
const MAX_BYTES = 2 * 1024 * 1024;
/** An answer in one piece says nothing twice. It is parsed without a pause, in a few milliseconds. */
const MAX_PIECE = 256 * 1024;

/** The library reads what it is given without a pause; so much of it takes about a millisecond. */
const PIECE_BYTES = 16 * 1024;

/** A text as a body that is read over several turns of the event loop. */
function inTurns(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await nextTurn();
      controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
      if (at >= bytes.length) controller.close();
    },
  });
}

/** Whether an event of a stream is longer than a piece may be; each step looks back from where it must have ended. */
function hasLongEvent(text: string): boolean {
  for (let at = 0; at + MAX_PIECE < text.length; ) {
    const within = at + MAX_PIECE;
    const end = Math.max(text.lastIndexOf('\n\n', within), text.lastIndexOf('\n\r\n', within));
    if (end < at) return true;
    at = end + 1;
  }
  return false;
}

/** What the library is to read: a stream when one was asked for, also when the server sent the whole at once. */
function readable(body: string, wantsStream: boolean): Response {
  if (hasLongEvent(body) || (!wantsStream && body.length > MAX_PIECE)) throw tooLargeError();
  const mayBeWhole = body.length <= MAX_PIECE && /^\s{0,100}\{/.test(body);
  const whole = mayBeWhole ? parseJson(body) : failed('malformed');
  if (!wantsStream) {
    if (!whole.ok) throw unusableError();
    return Response.json(whole.value);
  }
  const isStream = !whole.ok && /^(data|event|id|retry)?:/m.test(body.slice(0, 10_000));
  if (!whole.ok && !isStream) throw unusableError();
  const events = whole.ok ? `data: ${JSON.stringify(whole.value)}\n\ndata: [DONE]\n\n` : body;
  return new Response(inTurns(events), { headers: { 'content-type': 'text/event-stream' } });
}

/** What of its request the library hands over is used: it would also tell the server about this machine. */
type Init = { body?: unknown; signal?: AbortSignal | null };

export type Sending = {
  http: HttpClient;
  /** Null where the server wants none. */
  key: string | null;
  /** What is left of the time for the whole answer. */
  remainingMs(): number;
  stream: boolean;
};

/**
 * The library's `fetch`: through the client that counts and limits.
 * @throws ModelError, or RequestRefused; the library wraps both as the cause of its own error
 */
export function modelFetch({ http, key, remainingMs, stream }: Sending) {
  return async (input: string | URL | Request, { body, signal }: Init = {}): Promise<Response> => {
    const timeoutMs = remainingMs();
    if (timeoutMs <= 0) throw timeoutError();
    const sent = typeof body === 'string' ? body : '{}';
    const outcome = await http.text({
      method: 'POST',
      url: String(input instanceof Request ? input.url : input),
      endpoint: 'model/chat/completions',
      headers: {
        'content-type': 'application/json',
        accept: stream ? 'text/event-stream, application/json' : 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body: sent,
      timeoutMs,
      maxBytes: MAX_BYTES,
      ...(signal && { signal }),
    });
    if (outcome.kind === 'ok') return readable(outcome.body, stream);
    // 422 is what servers built on FastAPI answer to members that they do not know.
    if (outcome.kind === 'httpError' && (outcome.status === 400 || outcome.status === 422)) {
      throw new RequestRefused(outcome.status, outcome.text);
    }
    throw failureError(outcome, estimatedUsage(sent.length));
  };
}
