import type { StreamEvents } from '../domain/market/stream.ts';
import { pack } from './compressor.ts';
import { eventText, toBytes } from './encoder.ts';

/** One event of the market's stream, encoded and compressed: the bytes that every client gets. */
export const packEvent = <Name extends keyof StreamEvents>(
  event: Name,
  id: string,
  data: StreamEvents[Name],
): Uint8Array => pack(toBytes(eventText(event, id, data)));
