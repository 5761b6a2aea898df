import { openFile } from './files.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * A whole file as bytes, as it is at this moment: what is written meanwhile is left out.
 *
 * @returns the bytes piece by piece as they are taken; the file is closed at the end, and when nobody takes more
 * @throws AppError 404
 */
export async function bytesOf(folder: string, name: string): Promise<ReadableStream<Uint8Array>> {
  const { handle, size } = await openFile(folder, name);
  let position = 0;
  return new ReadableStream({
    async pull(controller) {
      const bytes = new Uint8Array(Math.min(CHUNK_BYTES, size - position));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, position);
      position += bytesRead;
      if (bytesRead > 0) controller.enqueue(bytes.subarray(0, bytesRead));
      if (bytesRead > 0 && position < size) return;
      await handle.close();
      controller.close();
    },
    cancel: () => handle.close(),
  });
}
