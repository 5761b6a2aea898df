import { loneMessage, type Message } from './message.ts';

const utf8 = new TextEncoder();

/**
 * One server-sent event as text. Data is always JSON, which never holds a raw line break.
 * @param id what a reconnecting client sends back as Last-Event-ID; null leaves the client's last id standing
 */
export const eventText = (event: string, id: string | null, data: unknown): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Tells a browser how long to wait before it reconnects, ms. Sent once per connection. */
export const retryText = (ms: number): string => `retry: ${ms}\n\n`;

export const toBytes = (text: string): Uint8Array => utf8.encode(text);

/** One event, encoded and compressed, that can be given to any client at any time. */
export const packEvent = (event: string, id: string | null, data: unknown): Message =>
  loneMessage(toBytes(eventText(event, id, data)));
