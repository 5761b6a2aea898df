import { resolve } from 'node:path';
import {
  address,
  backupPlace,
  oneOf,
  optional,
  recipient,
  secret,
  type Setting,
  text,
  whole,
  withDefault,
} from './setting.ts';
import type { Lock, TargetPlace } from '../platform/backupTarget/target.ts';

export const BACKUP_SETTINGS = {
  BELLBIRD_BACKUP_EVERY: withDefault(whole(1, 30), 1, 'a backup is made every so many nights'),
  BELLBIRD_BACKUP_TARGET: optional(
    backupPlace,
    'where backups go too: a folder of another disk, s3://bucket/folder, https://… of a WebDAV folder',
  ),
  BELLBIRD_BACKUP_S3_ENDPOINT: optional(address, 'backup target s3: address of the service', 'that of AWS'),
  BELLBIRD_BACKUP_S3_REGION: optional(text, 'backup target s3: region, also of a service that is not AWS'),
  BELLBIRD_BACKUP_S3_STYLE: withDefault(
    oneOf('path', 'host'),
    'path',
    'backup target s3: where the bucket stands in addresses; host: before the name of the service',
  ),
  BELLBIRD_BACKUP_USER: optional(text, 'backup target s3: ID of the key; WebDAV: user'),
  BELLBIRD_BACKUP_PASSWORD: secret(
    'backup target s3: secret of the key; WebDAV: password of the user, better one for an app',
  ),
  BELLBIRD_BACKUP_PASSPHRASE: secret('encrypts what goes to the backup target'),
  BELLBIRD_BACKUP_RECIPIENT: optional(
    recipient,
    'encrypts it for this public key of age (age1…) instead; the server itself can’t open it then',
  ),
  BELLBIRD_BACKUP_LOCAL: withDefault(
    oneOf('yes', 'no'),
    'yes',
    'whether a backup stays in the data folder once it is at the backup target',
  ),
  BELLBIRD_BACKUP_KEPT: withDefault(whole(1, 1000), 14, 'backups of this server that stay at the target'),
  BELLBIRD_BACKUP_WITH: withDefault(
    oneOf('database', 'settings', 'recordings', 'all'),
    'database',
    'what goes to the target besides the database: settings, recordings, all',
  ),
} satisfies Record<string, Setting<unknown>>;

type Values = {
  [K in keyof typeof BACKUP_SETTINGS]: (typeof BACKUP_SETTINGS)[K] extends Setting<infer T> ? T : never;
};

function placeOf(values: Values): TargetPlace | null {
  const target = values.BELLBIRD_BACKUP_TARGET;
  if (target === null) return null;
  const [user, password] = [values.BELLBIRD_BACKUP_USER ?? '', values.BELLBIRD_BACKUP_PASSWORD ?? ''];
  if (/^https?:\/\//i.test(target)) return { kind: 'webdav', url: target, user, password };
  const s3 = /^s3:\/\/([^/]{1,100})\/?(.{0,1000})$/i.exec(target);
  if (s3 === null) return { kind: 'folder', path: resolve(target) };
  return {
    kind: 's3',
    endpoint: values.BELLBIRD_BACKUP_S3_ENDPOINT,
    region: values.BELLBIRD_BACKUP_S3_REGION,
    isHostStyle: values.BELLBIRD_BACKUP_S3_STYLE === 'host',
    bucket: s3[1] ?? '',
    prefix: s3[2] ?? '',
    keyId: user,
    key: password,
  };
}

/** The public key has precedence, because the server then can't decrypt what it sent. */
function lockOf(values: Values): Lock | null {
  const { BELLBIRD_BACKUP_PASSPHRASE: passphrase, BELLBIRD_BACKUP_RECIPIENT: recipient } = values;
  if (recipient !== null) return { kind: 'recipient', recipient };
  return passphrase === null ? null : { kind: 'passphrase', passphrase };
}

export const backupIn = (values: Values) => ({
  everyDays: values.BELLBIRD_BACKUP_EVERY,
  isKeptLocally: values.BELLBIRD_BACKUP_LOCAL === 'yes',
  place: placeOf(values),
  lock: lockOf(values),
  kept: values.BELLBIRD_BACKUP_KEPT,
  withSettings: ['settings', 'all'].includes(values.BELLBIRD_BACKUP_WITH),
  withRecordings: ['recordings', 'all'].includes(values.BELLBIRD_BACKUP_WITH),
});

/** systemd and compose expand `\\` and `$`, except if they are escaped in double quotes. */
const written = (value: string): string =>
  /[\\$]/.test(value) ? `"${value.replaceAll(/[\\$"`]/g, '\\$&')}"` : value;

/** The settings as a file of `NAME=value` lines for systemd and compose. */
export const settingsFile = (env: Record<string, string | undefined>): string =>
  Object.entries(env)
    .filter(([name, value]) => name.startsWith('BELLBIRD_') && value !== undefined && !/[\r\n]/.test(value))
    .map(([name, value = '']) => `${name}=${written(value)}\n`)
    .toSorted()
    .join('');
