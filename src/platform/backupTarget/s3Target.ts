import { S3Client } from 'bun';
import { errorCode } from '#lib/errors.ts';
import {
  type BackupTarget,
  filteredBy,
  withStreamErrors,
  TargetError,
  type TargetFile,
  type TargetPlace,
} from './target.ts';

type S3Place = Extract<TargetPlace, { kind: 's3' }>;

/** The smallest part that S3 accepts. One part is in memory at a time. */
const PART_BYTES = 5 * 1024 * 1024;
const MAX_PAGES = 20;

const WRONG_REGION = 'BELLBIRD_BACKUP_S3_REGION does not match its region';
const WRONG_ADDRESS =
  'it is at another address or in another region: check BELLBIRD_BACKUP_S3_ENDPOINT and BELLBIRD_BACKUP_S3_REGION';
const WANTS_HOST = 'the service requires the bucket in the host name: set BELLBIRD_BACKUP_S3_STYLE=host';
const BUSY = 'the service is busy or has an internal error';
const NO_ROOM = 'there is no space left';
const NO_CERTIFICATE = 'its certificate is not trusted';

const REASONS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist',
  InvalidBucketName: 'the bucket name is invalid',
  NoSuchKey: 'the file no longer exists',
  AccessDenied: 'the key does not allow this',
  InvalidAccessKeyId: 'the key is unknown',
  SignatureDoesNotMatch: 'the secret is wrong',
  AuthorizationHeaderMalformed: WRONG_REGION,
  InvalidRegionName: WRONG_REGION,
  IllegalLocationConstraintException: WRONG_REGION,
  PermanentRedirect: WRONG_ADDRESS,
  TemporaryRedirect: WRONG_ADDRESS,
  MovedPermanently: WRONG_ADDRESS,
  SecondLevelDomainForbidden: WANTS_HOST,
  InvalidPathStyle: WANTS_HOST,
  RequestTimeTooSkewed: 'the clock of this server is wrong',
  MethodNotAllowed: 'it does not allow this, for example because its objects are locked',
  SlowDown: BUSY,
  InternalError: BUSY,
  ServiceUnavailable: BUSY,
  EntityTooLarge: 'it does not accept files of this size',
  QuotaExceeded: NO_ROOM,
  InsufficientStorage: NO_ROOM,
  XMinioStorageFull: NO_ROOM,
  ConnectionRefused: 'it cannot be reached',
  DNSResolveFailed: 'its host name is unknown',
  DEPTH_ZERO_SELF_SIGNED_CERT: NO_CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: NO_CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NO_CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  UnknownError: 'the answer is not from an S3 service: check BELLBIRD_BACKUP_S3_ENDPOINT',
};

/** Shows only the code of the error, because its text may repeat an address with a signature. */
const expectedRegion = (error: unknown): string => {
  const found = error instanceof Error ? /expecting '([\w-]{1,40})'/.exec(error.message)?.[1] : undefined;
  return found === undefined ? '' : ` (${found})`;
};

function toTargetError({ bucket }: S3Place, error: unknown, cannot = 'cannot be used'): unknown {
  if (error instanceof TargetError) return error;
  const code = errorCode(error);
  if (code === '') return error;
  const known = REASONS[code] === WRONG_REGION ? WRONG_REGION + expectedRegion(error) : REASONS[code];
  const reason = known ?? (/^\w{1,60}$/.test(code) ? `it answered ${code}` : 'it could not be used');
  return new TargetError(`The bucket ${bucket} ${cannot}: ${reason}.`, { cause: error });
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
    // The runtime completes an upload even after an error, so the object must be removed.
    await Promise.resolve(writer.end()).catch(() => undefined);
    await client.delete(key).catch(() => undefined);
    throw error;
  }
}

function hostOf(endpoint: string, bucket: string): string {
  const url = new URL(endpoint);
  if (!url.hostname.startsWith(`${bucket}.`)) url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

/** A bucket. Objects appear only when they are complete, so partial names are not needed. */
export function createS3Target(place: S3Place): BackupTarget {
  const { endpoint, region, isHostStyle, bucket, keyId, key } = place;
  const prefix = place.prefix === '' ? '' : `${place.prefix}/`;
  const client = new S3Client({
    bucket,
    accessKeyId: keyId,
    secretAccessKey: key,
    ...(endpoint !== null && { endpoint: isHostStyle ? hostOf(endpoint, bucket) : endpoint }),
    virtualHostedStyle: isHostStyle,
    ...(region !== null && { region }),
  });
  const withTargetErrors = filteredBy((error) => toTargetError(place, error));
  const removing = filteredBy((error) => toTargetError(place, error, 'lets nothing be removed'));
  return {
    prepare: async () => undefined,
    doubt: async () => null,
    list: () => withTargetErrors(() => filesIn(client, prefix)),
    write: (name, content) => withTargetErrors(() => upload(client, prefix + name, content)),
    read: (name) =>
      withTargetErrors(async () =>
        withStreamErrors(client.file(prefix + name).stream(), (error) => toTargetError(place, error)),
      ),
    remove: (name) => removing(() => client.delete(prefix + name)),
  };
}
