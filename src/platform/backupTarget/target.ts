import { StartError } from '#lib/errors.ts';

/** A fault of a backup target or its content. The message is a sentence without secrets. */
export class TargetError extends StartError {
  override name = 'TargetError';
}

/** The folder does not exist yet. The first backup makes it. */
export class MissingTargetError extends TargetError {
  override name = 'MissingTargetError';
}

export type TargetFile = { name: string; bytes: number };

export type TargetUse = {
  dataFolder: string;
  prefix: string;
  isKnown: boolean;
};

/** A flat folder. Failures throw a TargetError. */
export type BackupTarget = {
  /** Runs before the first file is written: makes the folder if allowed, and refuses a wrong one. */
  prepare(use: TargetUse): Promise<void>;
  /** Why this may be the wrong place, as a sentence; null if it seems right. */
  doubt(use: TargetUse): Promise<string | null>;
  /** All files, perhaps including those of other programs. */
  list(): Promise<TargetFile[]>;
  /** Writes a file, which gets its name only when it is complete. @param bytes the length of the content */
  write(name: string, content: ReadableStream<Uint8Array>, bytes: number): Promise<void>;
  read(name: string): Promise<ReadableStream<Uint8Array>>;
  remove(name: string): Promise<void>;
};

export type TargetPlace =
  | { kind: 'folder'; path: string }
  | {
      kind: 's3';
      /** Null: the address of AWS for the region. */
      endpoint: string | null;
      region: string | null;
      /** Whether the bucket is in the host name instead of the path. */
      isHostStyle: boolean;
      bucket: string;
      /** Without slashes at its ends; '' for none. */
      prefix: string;
      keyId: string;
      key: string;
    }
  | {
      kind: 'webdav';
      /** Address of the folder, without a slash at its end. */
      url: string;
      user: string;
      password: string;
    };

/** An encryption key: a passphrase, or the public key of an age identity. */
export type Lock = { kind: 'passphrase'; passphrase: string } | { kind: 'recipient'; recipient: string };

export function placeText(place: TargetPlace): string {
  if (place.kind === 'folder') return `the folder ${place.path}`;
  if (place.kind === 'webdav') return `the WebDAV folder ${place.url}`;
  return `the bucket ${[place.bucket, place.prefix].filter(Boolean).join('/')}`;
}

export const filteredBy =
  (inWords: (error: unknown) => unknown) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw inWords(error);
    }
  };

export function withStreamErrors(
  stream: ReadableStream<Uint8Array>,
  inWords: (error: unknown) => unknown,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(inWords(error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The same stream, with a callback for each piece and one for the end. */
export const watched = (
  stream: ReadableStream<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
  end: () => void = () => undefined,
): ReadableStream<Uint8Array> =>
  stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        onChunk(chunk);
        controller.enqueue(chunk);
      },
      flush: end,
    }),
  );
