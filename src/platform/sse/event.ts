import { loneMessage, type Message } from './message.ts';

const utf8 = new TextEncoder();

/**
 * One server-sent event as text. Data is always JSON, which never holds a raw line break.
 * @param id what a reconnecting client sends back as Last-Event-ID; null leaves the client's last id standing
 */
export const eventText = (event: string, id: string | null, data: unknown): string =>
  `${eventHead(event, id)}${JSON.stringify(data)}${EVENT_END}`;

/** What stands before an event's data and after it, for one whose text is made in parts. */
export const eventHead = (event: string, id: string | null): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: `;
export const EVENT_END = '\n\n';

/** A restart takes about a second; after that everybody is back within three more. */
const FIRST_BACK_MS = 500;
const BACK_WITHIN_MS = 3000;
const BACK_STEPS = 31;
/** Around three seconds, where nothing could be said in time. */
const FIRST_RETRY_MS = 1500;

/**
 * The first word of a stream: how long a browser is to wait before it opens a stream again that was lost, ms, in as many
 * forms as `closingTexts` and for the same reason. The first of them is three seconds.
 */
export const retryTexts = (): string[] =>
  Array.from({ length: BACK_STEPS }, (_, step) => {
    const share = ((step * 12 + (BACK_STEPS - 1) / 2) % BACK_STEPS) / (BACK_STEPS - 1);
    return `retry: ${FIRST_RETRY_MS + Math.round(share * BACK_WITHIN_MS)}\n\n`;
  });

/**
 * The last word of a stream, in as many forms as there are moments to come back: given out by turns they spread the
 * return of many. A browser goes by `retry`; the event says the same to who reads no such line.
 */
export const closingTexts = (): string[] =>
  Array.from({ length: BACK_STEPS }, (_, step) => {
    // By turns near and far, so that a few are spread as well as many.
    const share = ((step * 12) % BACK_STEPS) / (BACK_STEPS - 1);
    const ms = FIRST_BACK_MS + Math.round(share * BACK_WITHIN_MS);
    return `retry: ${ms}\n${eventText('closing', null, { reconnectMs: ms })}`;
  });

export const toBytes = (text: string): Uint8Array => utf8.encode(text);

/** One event, encoded and compressed, that can be given to any client at any time. */
export const packEvent = (event: string, id: string | null, data: unknown): Message =>
  loneMessage(toBytes(eventText(event, id, data)));
