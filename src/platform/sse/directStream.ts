/** The connection's end of a direct stream. `write` returns a promise when the connection takes no more for now. */
export type Connection = ReadableStreamDirectController;

/**
 * A body whose bytes go to the socket at once, Bun's own kind of stream, which the types of the DOM do not know. A default
 * stream has a promise and turns of the loop for each block besides: a sixth of a delivery's processor time (measured).
 *
 * @param begin called when the answer's headers have been given; the stream lasts until the connection is closed
 * @param cancel called when the client is gone
 */
export function directStream(begin: (connection: Connection) => void, cancel: () => void): ReadableStream {
  let hasBegun = false;
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: 'direct',
    pull(connection) {
      // A reader asks again for every read.
      if (!hasBegun) begin(connection);
      hasBegun = true;
    },
    cancel,
  };
  return Reflect.construct(ReadableStream, [source]) as ReadableStream;
}
