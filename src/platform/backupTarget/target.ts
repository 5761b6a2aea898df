import { StartError } from '#lib/errors.ts';

/** Something is wrong with a backup target or with what lies there; the message is a sentence without secrets. */
export class TargetError extends StartError {
  override name = 'TargetError';
}

/** There is no folder yet, which the first backup makes. */
export class MissingTargetError extends TargetError {
  override name = 'MissingTargetError';
}

export type TargetFile = { name: string; bytes: number };

/** What is known of a target before it is used. */
export type TargetUse = {
  /** The folder of the data. */
  dataFolder: string;
  /** How the names of this server's files begin. */
  prefix: string;
  /** Whether this server sent backups there before. */
  isKnown: boolean;
};

/** A flat folder elsewhere. What fails throws a TargetError. */
export type BackupTarget = {
  /** Before the first file is written: makes the place where it may be made, and refuses a wrong one. */
  prepare(use: TargetUse): Promise<void>;
  /** Why this may be the wrong place, as a sentence; null if nothing says so. */
  doubt(use: TargetUse): Promise<string | null>;
  /** Names of other forms may be among them: they are somebody else's. */
  list(): Promise<TargetFile[]>;
  /** Writes a file, which has its name only when it is complete. @param bytes how many will come */
  write(name: string, content: ReadableStream<Uint8Array>, bytes: number): Promise<void>;
  read(name: string): Promise<ReadableStream<Uint8Array>>;
  remove(name: string): Promise<void>;
};

/** Where backups go beside the data folder. */
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
      /** Of the folder, without a slash at its end. */
      url: string;
      user: string;
      password: string;
    };

/** What encrypts: a passphrase, or the public key of an age identity, which alone can't open anything. */
export type Lock = { kind: 'passphrase'; passphrase: string } | { kind: 'recipient'; recipient: string };

/** The place in words, without secrets. */
export function placeText(place: TargetPlace): string {
  if (place.kind === 'folder') return `the folder ${place.path}`;
  if (place.kind === 'webdav') return `the WebDAV folder ${place.url}`;
  return `the bucket ${[place.bucket, place.prefix].filter(Boolean).join('/')}`;
}

/** Does work whose failures are told in other words. */
export const guardedBy =
  (inWords: (error: unknown) => unknown) =>
  async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw inWords(error);
    }
  };

/** A stream whose failures are told in other words. */
export function guardedStream(
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

/** The same stream, with each piece shown on its way, and told when it is over. */
export const watched = (
  stream: ReadableStream<Uint8Array>,
  look: (chunk: Uint8Array) => void,
  end: () => void = () => undefined,
): ReadableStream<Uint8Array> =>
  stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        look(chunk);
        controller.enqueue(chunk);
      },
      flush: end,
    }),
  );
