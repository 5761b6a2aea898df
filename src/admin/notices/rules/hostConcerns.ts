import { humanSize } from '#lib/wording.ts';
import { formatNumber } from '#texts/format.ts';
import { ENOUGH_DISK_BYTES, LOW_DISK_BYTES, maxBackupAge } from '#admin/backups/rules/keptBackups.ts';
import { CERTIFICATE_SOON_DAYS, clockSkew, endsWithin } from '#admin/selfCheck/rules/findings.ts';
import { type Concern, dayText } from './concern.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/units.ts';

/** Times are epoch ms. */
export type HostSeen = {
  now: number;
  /** When this installation was first seen. In the first day no backup is required. */
  firstLook: number;
  backups: {
    newest: number | null;
    failure: string | null;
    /** What failed after the last one had arrived at the target. */
    warning: string | null;
    everyDays: number;
  };
  freeBytes: number | null;
  /** `endsAt` is null if unknown; omitted without a public address. */
  certificate?: { host: string; endsAt: number } | null;
  /** `isNew` is null if unknown; omitted if nothing can check. */
  update?: { isNew: boolean; version: string | null } | null;
  engine: { isUp: boolean; problem: string | null } | null;
  /** How far the clock is ahead of each push service that answered, ms. */
  clockAhead: readonly number[];
};

const LATE_DAYS = 3;

function backupConcerns({ now, firstLook, backups }: HostSeen): Concern[] {
  const { newest, failure, warning, everyDays } = backups;
  const isOld = now - (newest ?? firstLook) > maxBackupAge(everyDays);
  const common = {
    what: 'Backups',
    remedy: 'It is tried again every hour, and by Back up now in Server Controls.',
    overTitle: 'There is a new backup',
    overAfterMs: 0,
    isUrgent: false,
  };
  const age =
    newest === null ? 'There is no backup yet.' : `The newest backup is of ${dayText(newest, now)} Sydney.`;
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
      // A failure has its own notice.
      state: isOld && failure === null ? 'wrong' : 'well',
      title: `There is no backup of the last ${everyDays === 1 ? 'day' : `${everyDays} days`}`,
      detail: age,
      // After a start, the missed backup is made within minutes.
      afterMs: HOUR_MS,
    },
    {
      ...common,
      key: 'backupUntidy',
      state: warning === null ? 'well' : 'wrong',
      title: 'The backup arrived, but the backup target needs attention',
      detail: warning ?? '',
      remedy:
        'Allow what was refused at the target. If nothing may be deleted there, set BELLBIRD_BACKUP_KEPT=1000 and let the target remove old files itself.',
      overTitle: 'The backup target is in order again',
      afterMs: 0,
    },
  ];
}

/** Between the two limits the state does not change, so a disk near a limit does not flap. */
function diskState(free: number | null): Concern['state'] {
  if (free === null) return 'unknown';
  if (free < LOW_DISK_BYTES) return 'wrong';
  return free < ENOUGH_DISK_BYTES ? 'unchanged' : 'well';
}

const diskConcern = ({ freeBytes }: HostSeen): Concern => ({
  key: 'disk',
  what: 'Disk',
  state: diskState(freeBytes),
  title: 'The disk is almost full',
  detail:
    freeBytes === null
      ? ''
      : `${humanSize(freeBytes)} left on the disk of the data. Once it is full, nothing can be saved: no alerts, no calls.`,
  remedy: 'Delete what you don’t need, such as old backups and recordings, or make the disk larger.',
  overTitle: 'The disk has room again',
  afterMs: 0,
  overAfterMs: 0,
  isUrgent: true,
});

function endText({ host, endsAt }: NonNullable<HostSeen['certificate']>, now: number): string {
  const days = Math.floor((endsAt - now) / DAY_MS);
  const when = `${dayText(endsAt, now)} Sydney`;
  if (endsAt <= now) return `That of ${host} ended ${when}. Browsers refuse the page.`;
  const inDays = days === 1 ? 'in a day' : `in ${formatNumber(days, 0)} days`;
  return `That of ${host} ends ${days === 0 ? 'within a day' : inDays}, ${when}. After that browsers refuse the page.`;
}

function certificateConcerns(
  certificate: NonNullable<HostSeen['certificate']> | null,
  now: number,
): Concern[] {
  const stateAt = (limit: number): Concern['state'] => {
    if (certificate === null) return 'unchecked';
    return endsWithin(certificate.endsAt, now, limit) ? 'wrong' : 'well';
  };
  const common = {
    what: 'Certificate',
    detail: certificate === null ? '' : endText(certificate, now),
    remedy: 'See whether the proxy in front of this server can renew it: its log says why it did not.',
    overTitle: 'The certificate was renewed',
    afterMs: 0,
    overAfterMs: 0,
  };
  return [
    {
      ...common,
      key: 'certificate',
      title: 'The certificate ends soon',
      state: stateAt(CERTIFICATE_SOON_DAYS),
      isUrgent: false,
    },
    {
      ...common,
      key: 'certificateSoon',
      title: 'The certificate ends within three days',
      state: stateAt(LATE_DAYS),
      isUrgent: true,
      stageOf: 'certificate',
    },
  ];
}

function updateConcern(update: NonNullable<HostSeen['update']> | null): Concern {
  const whenKnown = update?.isNew ? 'wrong' : 'well';
  return {
    key: 'update',
    what: 'New versions',
    state: update === null ? 'unchecked' : whenKnown,
    title: 'A new version of Bellbird waits',
    detail: update?.version ? `It is version ${update.version}.` : '',
    remedy: 'Press Check for updates in Server Controls to see what it brings, then Update and Restart.',
    overTitle: 'Bellbird is up to date',
    afterMs: 0,
    overAfterMs: 0,
    isUrgent: false,
  };
}

const engineConcern = ({ isUp, problem }: NonNullable<HostSeen['engine']>): Concern => ({
  key: 'engine',
  what: 'Message engine',
  state: isUp ? 'well' : 'wrong',
  title: 'The message engine is away',
  detail: problem ?? 'Relays get no prices.',
  remedy: 'See whether Redis or Valkey runs at the address of BELLBIRD_ENGINE_URL.',
  overTitle: 'The message engine is back',
  afterMs: 5 * MINUTE_MS,
  overAfterMs: 5 * MINUTE_MS,
  isUrgent: true,
});

function clockConcern({ clockAhead }: HostSeen): Concern {
  const skew = clockSkew(clockAhead);
  const whenKnown = skew?.isWrong ? 'wrong' : 'well';
  return {
    key: 'clock',
    what: 'Clock',
    state: skew === null ? 'unknown' : whenKnown,
    title: 'The server’s clock looks wrong',
    detail: skew?.text ?? '',
    remedy: skew?.remedy ?? '',
    overTitle: 'The server’s clock is right again',
    afterMs: 0,
    overAfterMs: 0,
    isUrgent: true,
  };
}

export const hostConcerns = (seen: HostSeen): Concern[] => [
  ...backupConcerns(seen),
  diskConcern(seen),
  clockConcern(seen),
  ...(seen.certificate === undefined ? [] : certificateConcerns(seen.certificate, seen.now)),
  ...(seen.update === undefined ? [] : [updateConcern(seen.update)]),
  ...(seen.engine ? [engineConcern(seen.engine)] : []),
];
