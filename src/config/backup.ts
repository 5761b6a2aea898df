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
  BELLBIRD_BACKUP_EVERY: withDefault(whole(1, 30), 1, 'Make a backup every N nights'),
  BELLBIRD_BACKUP_TARGET: optional(
    backupPlace,
    'Also copy backups to: a folder on another disk, s3://bucket/folder, or https://… of a WebDAV folder',
  ),
  BELLBIRD_BACKUP_S3_ENDPOINT: optional(address, 'S3: address of the service', 'AWS'),
  BELLBIRD_BACKUP_S3_REGION: optional(text, 'S3: region; other services than AWS may need one too'),
  BELLBIRD_BACKUP_S3_STYLE: withDefault(
    oneOf('path', 'host'),
    'path',
    'S3: position of the bucket in addresses: path, or host for a subdomain',
  ),
  BELLBIRD_BACKUP_USER: optional(text, 'S3: access key ID. WebDAV: user name'),
  BELLBIRD_BACKUP_PASSWORD: secret('S3: secret access key. WebDAV: password, preferably an app password'),
  BELLBIRD_BACKUP_PASSPHRASE: secret('Passphrase that encrypts the files at the backup target'),
  BELLBIRD_BACKUP_RECIPIENT: optional(
    recipient,
    'Public age key (age1…) that encrypts them instead; the server then cannot decrypt them',
  ),
  BELLBIRD_BACKUP_LOCAL: withDefault(
    oneOf('yes', 'no'),
    'yes',
    'Keep backups in the data folder too: yes, or no to delete them once they are at the target',
  ),
  BELLBIRD_BACKUP_KEPT: withDefault(
    whole(1, 1000),
    14,
    'Number of backups of this server to keep at the target',
  ),
  BELLBIRD_BACKUP_WITH: withDefault(
    oneOf('database', 'settings', 'recordings', 'all'),
    'database',
    'Content of the copies at the target: database, or also settings, recordings or all',
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

/** The public key has precedence, because with it the server can't decrypt its own backups. */
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
