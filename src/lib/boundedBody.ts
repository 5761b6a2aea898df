type Body = ReadableStream<Uint8Array> | null;

/**
 * Reads a body, whatever its stated length.
 * @param maxBytes reading stops and cancels the stream beyond this
 * @returns the bytes, empty for a missing body; null if there are more
 * @throws if the connection breaks
 */
export async function readBytes(body: Body, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Bun.concatArrayBuffers(chunks, size, true);
}

export async function readText(body: Body, maxBytes: number): Promise<string | null> {
  const bytes = await readBytes(body, maxBytes);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}
