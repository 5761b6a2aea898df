import { pack } from './compressor.ts';

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

/** One event, encoded and compressed: the bytes that every client gets. */
export const packEvent = (event: string, id: string | null, data: unknown): Uint8Array =>
  pack(toBytes(eventText(event, id, data)));
