import { loneMessage, type Message } from './message.ts';

const utf8 = new TextEncoder();

/**
 * One server-sent event as text. Data is JSON, which contains no raw line break.
 * @param id that a returning client sends as Last-Event-ID; null keeps the client's last id
 */
export const eventText = (event: string, id: string | null, data: unknown): string =>
  `${eventHead(event, id)}${JSON.stringify(data)}${EVENT_END}`;

/** The text before and after an event's data, for data that is made in parts. */
export const eventHead = (event: string, id: string | null): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: `;
export const EVENT_END = '\n\n';

/** A restart takes about a second. Afterwards all clients return within three more. */
const FIRST_BACK_MS = 500;
const BACK_WITHIN_MS = 3000;
const BACK_STEPS = 31;
const FIRST_RETRY_MS = 1500;

/**
 * The first line of a stream: the delay before a browser reopens a lost stream, ms, in as many forms as
 * `closingTexts`. The first is three seconds.
 */
export const retryTexts = (): string[] =>
  Array.from({ length: BACK_STEPS }, (_, step) => {
    const share = ((step * 12 + (BACK_STEPS - 1) / 2) % BACK_STEPS) / (BACK_STEPS - 1);
    return `retry: ${FIRST_RETRY_MS + Math.round(share * BACK_WITHIN_MS)}\n\n`;
  });

/**
 * The last event of a stream, in a form for each moment of return. Used in turn, they spread the return of many. A
 * browser reads `retry`; the event says the same to other readers.
 */
export const closingTexts = (): string[] =>
  Array.from({ length: BACK_STEPS }, (_, step) => {
    // Alternates short and long delays, so that a few clients are spread too.
    const share = ((step * 12) % BACK_STEPS) / (BACK_STEPS - 1);
    const ms = FIRST_BACK_MS + Math.round(share * BACK_WITHIN_MS);
    return `retry: ${ms}\n${eventText('closing', null, { reconnectMs: ms })}`;
  });

export const toBytes = (text: string): Uint8Array => utf8.encode(text);

/** One event, encoded and compressed, for any client at any time. */
export const packEvent = (event: string, id: string | null, data: unknown): Message =>
  loneMessage(toBytes(eventText(event, id, data)));
