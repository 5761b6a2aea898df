import { S3Client } from 'bun';
import { errorCode } from '../../lib/errorCode.ts';
import {
  type BackupTarget,
  guardedBy,
  guardedStream,
  TargetError,
  type TargetFile,
  type TargetPlace,
} from './target.ts';

type S3Place = Extract<TargetPlace, { kind: 's3' }>;

/** The least that S3 takes; that much of a backup is in memory at once. */
const PART_BYTES = 5 * 1024 * 1024;
/** Pages of 1,000 names: what a bucket holds beyond is not ours. */
const MAX_PAGES = 20;

const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  NoSuchKey: 'that file is not there any more',
  AccessDenied: 'the key may not do this',
  InvalidAccessKeyId: 'it does not know the key',
  SignatureDoesNotMatch: 'the secret of the key is wrong',
  ConnectionRefused: 'it can’t be reached',
  QuotaExceeded: 'there is no room left',
  InsufficientStorage: 'there is no room left',
};

/** The error's own text may repeat an address with a signature, so only its code is told. */
function toTargetError({ bucket }: S3Place, error: unknown): unknown {
  if (error instanceof TargetError) return error;
  const code = errorCode(error);
  if (code === '') return error;
  const reason = REASONS[code] ?? (/^\w{1,60}$/.test(code) ? `it answered ${code}` : 'it could not be used');
  return new TargetError(`The bucket ${bucket} can't be used: ${reason}.`, { cause: error });
}

async function filesIn(client: S3Client, prefix: string): Promise<TargetFile[]> {
  const files: TargetFile[] = [];
  let continuationToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const found = await client.list({ prefix, ...(continuationToken && { continuationToken }) });
    for (const { key, size = 0 } of found.contents ?? [])
      files.push({ name: key.slice(prefix.length), bytes: size });
    continuationToken = found.nextContinuationToken;
    if (!found.isTruncated || continuationToken === undefined) break;
  }
  return files;
}

async function upload(client: S3Client, key: string, content: ReadableStream<Uint8Array>): Promise<void> {
  const writer = client.file(key).writer({ partSize: PART_BYTES, queueSize: 1, retry: 3 });
  try {
    let waiting = 0;
    for await (const chunk of content) {
      waiting += chunk.byteLength;
      await writer.write(chunk);
      if (waiting < PART_BYTES) continue;
      waiting = 0;
      await writer.flush();
    }
    await writer.end();
  } catch (error) {
    // The runtime ends an upload by completing it, also with an error: what came until then would stand there.
    await Promise.resolve(writer.end()).catch(() => undefined);
    await client.delete(key).catch(() => undefined);
    throw error;
  }
}

/** A bucket. An object appears there only when it is complete, so none needs a name for the time before. */
export function createS3Target(place: S3Place): BackupTarget {
  const { endpoint, region, bucket, keyId, key } = place;
  const prefix = place.prefix === '' ? '' : `${place.prefix}/`;
  const client = new S3Client({
    ...{ bucket, accessKeyId: keyId, secretAccessKey: key },
    ...(endpoint !== null && { endpoint }),
    ...(region !== null && { region }),
  });
  const guarded = guardedBy((error) => toTargetError(place, error));
  return {
    prepare: async () => undefined,
    list: () => guarded(() => filesIn(client, prefix)),
    write: (name, content) => guarded(() => upload(client, prefix + name, content)),
    read: (name) =>
      guarded(async () =>
        guardedStream(client.file(prefix + name).stream(), (error) => toTargetError(place, error)),
      ),
    remove: (name) => guarded(() => client.delete(prefix + name)),
  };
}
