import { humanSize } from '#lib/wording.ts';
import { formatNumber } from '#texts/format.ts';
import { ENOUGH_DISK_BYTES, LOW_DISK_BYTES, maxBackupAge } from '#admin/backups/rules/keptBackups.ts';
import { CERTIFICATE_SOON_DAYS, clockSkew, endsWithin } from '#admin/selfCheck/rules/checkResults.ts';
import { type HealthCheck, dayText } from './healthCheck.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/units.ts';

/** State of the server for its checks. Times are epoch ms. */
export type HostSeen = {
  now: number;
  /** When this installation was first checked. On the first day no backup is required. */
  firstCheck: number;
  backups: {
    newest: number | null;
    failure: string | null;
    /** What failed after the last backup arrived at the target; null if nothing did. */
    warning: string | null;
    everyDays: number;
  };
  freeBytes: number | null;
  /** `endsAt` is null if unknown; omitted without a public address. */
  certificate?: { host: string; endsAt: number } | null;
  /** `isNew` is null if unknown; omitted if nothing can check. */
  update?: { isNew: boolean; version: string | null } | null;
  engine: { isUp: boolean; problem: string | null } | null;
  /** How far this clock is ahead of each push service that answered, ms. */
  clockAhead: readonly number[];
};

const LATE_DAYS = 3;

function backupChecks({ now, firstCheck, backups }: HostSeen): HealthCheck[] {
  const { newest, failure, warning, everyDays } = backups;
  const isOld = now - (newest ?? firstCheck) > maxBackupAge(everyDays);
  const common = {
    what: 'Backups',
    remedy: 'Bellbird tries again every hour. To try now, press Back up now in Server Controls.',
    overTitle: 'Backups work again',
    overAfterMs: 0,
    isUrgent: false,
  };
  const age =
    newest === null
      ? 'There is no backup yet.'
      : `The newest backup was made on ${dayText(newest, now)} Sydney.`;
  return [
    {
      ...common,
      key: 'backupFailed',
      state: failure === null ? 'well' : 'wrong',
      title: 'The nightly backup failed',
      detail: failure ?? '',
      afterMs: 0,
    },
    {
      ...common,
      key: 'backupOld',
      // A failed backup has its own server alert.
      state: isOld && failure === null ? 'wrong' : 'well',
      title: `No backup in the last ${everyDays === 1 ? 'day' : `${everyDays} days`}`,
      detail: age,
      // After a start, a missed backup is made within minutes.
      afterMs: HOUR_MS,
    },
    {
      ...common,
      key: 'backupUntidy',
      state: warning === null ? 'well' : 'wrong',
      title: 'Backup sent, but the backup target needs attention',
      detail: warning ?? '',
      remedy:
        'Allow the refused action at the target. If deleting must stay forbidden there, set BELLBIRD_BACKUP_KEPT=1000 and let the target remove old files itself.',
      overTitle: 'The backup target works again',
      afterMs: 0,
    },
  ];
}

/** State of the disk. Between the two limits it does not change, so that it does not flap. */
function diskState(free: number | null): HealthCheck['state'] {
  if (free === null) return 'unknown';
  if (free < LOW_DISK_BYTES) return 'wrong';
  return free < ENOUGH_DISK_BYTES ? 'unchanged' : 'well';
}

const diskCheck = ({ freeBytes }: HostSeen): HealthCheck => ({
  key: 'disk',
  what: 'Disk',
  state: diskState(freeBytes),
  title: 'The disk is almost full',
  detail:
    freeBytes === null
      ? ''
      : `${humanSize(freeBytes)} free on the disk of the data folder. If it fills up, no alerts or calls can be saved.`,
  remedy: 'Delete old backups or recordings, or enlarge the disk.',
  overTitle: 'The disk has enough space again',
  afterMs: 0,
  overAfterMs: 0,
  isUrgent: true,
});

function endText({ host, endsAt }: NonNullable<HostSeen['certificate']>, now: number): string {
  const days = Math.floor((endsAt - now) / DAY_MS);
  const when = `${dayText(endsAt, now)} Sydney`;
  if (endsAt <= now) return `The certificate of ${host} expired on ${when}. Browsers refuse the page.`;
  const inDays = days === 1 ? 'in a day' : `in ${formatNumber(days, 0)} days`;
  return `The certificate of ${host} expires ${days === 0 ? 'within a day' : inDays}, on ${when}. After that, browsers refuse the page.`;
}

function certificateChecks(
  certificate: NonNullable<HostSeen['certificate']> | null,
  now: number,
): HealthCheck[] {
  const stateAt = (limit: number): HealthCheck['state'] => {
    if (certificate === null) return 'unchecked';
    return endsWithin(certificate.endsAt, now, limit) ? 'wrong' : 'well';
  };
  const common = {
    what: 'Certificate',
    detail: certificate === null ? '' : endText(certificate, now),
    remedy:
      'Check the log of the proxy in front of this server: it shows why the certificate was not renewed.',
    overTitle: 'The certificate was renewed',
    afterMs: 0,
    overAfterMs: 0,
  };
  return [
    {
      ...common,
      key: 'certificate',
      title: 'Certificate expires soon',
      state: stateAt(CERTIFICATE_SOON_DAYS),
      isUrgent: false,
    },
    {
      ...common,
      key: 'certificateSoon',
      title: 'Certificate expires within three days',
      state: stateAt(LATE_DAYS),
      isUrgent: true,
      stageOf: 'certificate',
    },
  ];
}

function updateCheck(update: NonNullable<HostSeen['update']> | null): HealthCheck {
  const whenKnown = update?.isNew ? 'wrong' : 'well';
  return {
    key: 'update',
    what: 'New versions',
    state: update === null ? 'unchecked' : whenKnown,
    title: 'Update available',
    detail: update?.version ? `Version ${update.version} is available.` : '',
    remedy: 'Press Check for updates in Server Controls to see the changes, then Update and Restart.',
    overTitle: 'Bellbird is up to date',
    afterMs: 0,
    overAfterMs: 0,
    isUrgent: false,
  };
}

const engineCheck = ({ isUp, problem }: NonNullable<HostSeen['engine']>): HealthCheck => ({
  key: 'engine',
  what: 'Redis',
  state: isUp ? 'well' : 'wrong',
  title: 'Redis is unreachable',
  detail: problem ?? 'Relays receive no prices.',
  remedy: 'Check that Redis or Valkey is running at the address in BELLBIRD_ENGINE_URL.',
  overTitle: 'Redis is reachable again',
  afterMs: 5 * MINUTE_MS,
  overAfterMs: 5 * MINUTE_MS,
  isUrgent: true,
});

function clockCheck({ clockAhead }: HostSeen): HealthCheck {
  const skew = clockSkew(clockAhead);
  const whenKnown = skew?.isWrong ? 'wrong' : 'well';
  return {
    key: 'clock',
    what: 'Clock',
    state: skew === null ? 'unknown' : whenKnown,
    title: 'The server clock seems wrong',
    detail: skew?.text ?? '',
    remedy: skew?.remedy ?? '',
    overTitle: 'The server clock is correct again',
    afterMs: 0,
    overAfterMs: 0,
    isUrgent: true,
  };
}

export const hostChecks = (seen: HostSeen): HealthCheck[] => [
  ...backupChecks(seen),
  diskCheck(seen),
  clockCheck(seen),
  ...(seen.certificate === undefined ? [] : certificateChecks(seen.certificate, seen.now)),
  ...(seen.update === undefined ? [] : [updateCheck(seen.update)]),
  ...(seen.engine ? [engineCheck(seen.engine)] : []),
];
