type Body = ReadableStream<Uint8Array> | null;

/**
 * Reads the body of a request or an answer, whatever its length was said to be.
 * @param maxBytes what is beyond is not read, and the connection is told so
 * @returns the bytes, none for a missing body; null when there are more
 * @throws whatever breaks the connection
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

/** As `readBytes`, decoded as UTF-8. */
export async function readText(body: Body, maxBytes: number): Promise<string | null> {
  const bytes = await readBytes(body, maxBytes);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}
