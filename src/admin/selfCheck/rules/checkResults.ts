import { DAY_MS } from '#lib/units.ts';
import { LOW_DISK_BYTES } from '#admin/backups/rules/keptBackups.ts';
import { bad, doubtful, type CheckResult, good } from '#lib/checkResult.ts';
import type { ShownCertificate } from '#lib/httpClient/probe.ts';
import { humanSize } from '#lib/wording.ts';

export type DiskState = { freeBytes: number; freeFiles: number; files: number; isReadOnly: boolean };

const MB = 1024 * 1024;
/** Memory needed to start with the whole market while a backup runs. */
const LOW_MEMORY_BYTES = 200 * MB;
/** A warning is given below this share of the files that the disk can hold. */
const LOW_FILES_SHARE = 0.02;

export function diskFinding(disk: DiskState | null, folder: string): CheckResult {
  const what = 'Disk';
  if (disk === null)
    return doubtful(
      what,
      `The system does not report the free space of ${folder}.`,
      'Check it with "df -h".',
    );
  if (disk.isReadOnly) {
    return bad(
      what,
      `The disk of ${folder} is mounted read-only.`,
      'Check "dmesg" for a disk or SD card fault, then mount it writable.',
    );
  }
  if (disk.freeBytes < LOW_DISK_BYTES) {
    return (disk.freeBytes < 20 * MB ? bad : doubtful)(
      what,
      `Only ${humanSize(disk.freeBytes)} is free on the disk of ${folder}.`,
      `Free some space: "du -sh ${folder}/*" shows the sizes.`,
    );
  }
  // Some file systems have no limit and report 0.
  if (disk.files > 0 && disk.freeFiles < disk.files * LOW_FILES_SHARE) {
    return doubtful(
      what,
      `The disk of ${folder} has almost no room for more files (${disk.freeFiles} of ${disk.files}).`,
      'Remove folders with many small files. "df -i" shows the limit.',
    );
  }
  return good(what, `${humanSize(disk.freeBytes)} is free on the disk of ${folder}.`);
}

/** @param available free bytes for programs; null if the system does not report it */
export function memoryFinding(available: number | null): CheckResult {
  const what = 'Memory';
  if (available === null) return good(what, 'The system does not report the available memory.');
  const message = `${humanSize(available)} is available.`;
  return available < LOW_MEMORY_BYTES
    ? doubtful(what, `Only ${message}`, 'Stop other programs on this machine, or add memory.')
    : good(what, message);
}

export type SeenFile = { path: string; uid: number; isOpen: boolean; isWritable: boolean };

const RIGHTS = 'Rights';
const SOME = 3;

function named(files: readonly SeenFile[]): string {
  const more = files.length > SOME ? ` and ${files.length - SOME} more` : '';
  return (
    files
      .slice(0, SOME)
      .map(({ path }) => path)
      .join(', ') + more
  );
}

function ownerFinding(files: readonly SeenFile[], folder: string, uid: number): CheckResult | null {
  const others = files.filter((file) => file.uid !== uid);
  const [first] = others;
  if (first === undefined) return null;
  const message = `${named(others)} ${others.length === 1 ? 'belongs' : 'belong'} to user ${first.uid}, but this command runs as user ${uid}.`;
  const asService =
    'Run this command as the user of the service: "sudo -u bellbird env BELLBIRD_DATA=… bellbird check".';
  // Root can access everything, so its access says nothing about the service's.
  if (uid === 0) return doubtful(RIGHTS, message, asService);
  return bad(
    RIGHTS,
    message,
    `Give the data folder to the user that runs Bellbird: "sudo chown -R USER ${folder}". Or run this command as that user.`,
  );
}

/**
 * @param files the folder first; empty if it does not exist yet
 * @param uid the user of this process; null if the system has none
 */
export function rightsCheckResults(
  files: readonly SeenFile[],
  folder: string,
  uid: number | null,
): CheckResult[] {
  if (files.length === 0)
    return [good(RIGHTS, `The data folder ${folder} does not exist yet. The first start creates it.`)];
  const owner = uid === null ? null : ownerFinding(files, folder, uid);
  const locked = files.filter(({ isWritable }) => !isWritable);
  const open = files.filter(({ isOpen }) => isOpen);
  const found = [
    owner,
    locked.length === 0
      ? null
      : bad(
          RIGHTS,
          `${named(locked)} cannot be written.`,
          `Allow the owner to write: "chmod -R u+rwX ${folder}".`,
        ),
    open.length === 0
      ? null
      : doubtful(
          RIGHTS,
          `Other users can read ${named(open)}.`,
          `Restrict them: "chmod -R go-rwx ${folder}". If the folder holds only Bellbird’s files, the next start does this itself.`,
        ),
  ].filter((result) => result !== null);
  return found.length > 0
    ? found
    : [good(RIGHTS, `Only this user can read the data folder ${folder}, and can write to it.`)];
}

/** Allowed difference from the clocks of other servers. */
const MAX_SKEW_MS = 60_000;

/** A duration: 75 seconds, 12 minutes, 3 hours, 5 days. */
function spanText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** `isWrong` is true if the difference breaks something. */
type ClockSkew = { isWrong: boolean; text: string; remedy: string };

/**
 * Compares this machine's clock with the servers that answered. The closest one counts: a cached answer makes another
 * clock look late, but nothing makes a wrong clock look right.
 * @param ahead how far this clock is ahead of each server, ms
 * @returns null without servers
 */
export function clockSkew(ahead: readonly number[]): ClockSkew | null {
  const [nearest] = [...ahead].sort((a, b) => Math.abs(a) - Math.abs(b));
  if (nearest === undefined) return null;
  const off = Math.abs(nearest);
  return {
    isWrong: off > MAX_SKEW_MS,
    text: `The clock of this machine is ${spanText(off)} ${nearest > 0 ? 'ahead' : 'behind'}: logins, market hours, reminders and delays will be wrong.`,
    remedy: 'Turn on time synchronisation: "timedatectl set-ntp true". Then check "timedatectl".',
  };
}

export function clockResult(ahead: readonly number[]): CheckResult {
  const what = 'Clock';
  const skew = clockSkew(ahead);
  if (skew === null) return good(what, 'Not compared: no other server returned its time.');
  return skew.isWrong
    ? bad(what, skew.text, skew.remedy)
    : good(what, 'Within a minute of the other servers.');
}

/** Days before the end at which to warn. Automatic renewal happens 30 days before. */
export const CERTIFICATE_SOON_DAYS = 14;

/** Whether a certificate ends within some days, or has ended. Times are epoch ms. */
export const endsWithin = (endsAt: number, now: number, days: number): boolean =>
  endsAt - now <= days * DAY_MS;

const CERTIFICATE = 'Certificate';
const RENEW =
  'Check the log of the proxy, which renews the certificate (Caddy: "journalctl -u caddy"). Ports 80 and 443 must be reachable from outside.';

/** @param host the host of the public address; @param now epoch ms */
export function certificateFinding(shown: ShownCertificate, host: string, now: number): CheckResult {
  const days = Math.floor((shown.validTo - now) / DAY_MS);
  if (shown.validTo <= now)
    return bad(CERTIFICATE, `The certificate of ${host} expired ${-days} days ago.`, RENEW);
  if (shown.validFrom > now) {
    return bad(
      CERTIFICATE,
      `The certificate of ${host} is not valid yet.`,
      'Check the clock of this machine.',
    );
  }
  if (shown.isOtherName) {
    return bad(
      CERTIFICATE,
      `The certificate is for another name than ${host}.`,
      'Set this name in the configuration of the proxy, or correct BELLBIRD_PUBLIC_URL.',
    );
  }
  if (shown.chainProblem !== null) {
    return bad(
      CERTIFICATE,
      `The certificate of ${host} is not trusted (${shown.chainProblem}).`,
      'Configure the proxy to serve the whole chain (fullchain.pem) from an issuer that browsers trust.',
    );
  }
  if (Number.isNaN(shown.validTo))
    return doubtful(CERTIFICATE, `The certificate of ${host} has no expiry date.`, RENEW);
  if (endsWithin(shown.validTo, now, CERTIFICATE_SOON_DAYS))
    return doubtful(CERTIFICATE, `The certificate of ${host} expires in ${days} days.`, RENEW);
  return good(CERTIFICATE, `The certificate of ${host} is trusted and valid for ${days} more days.`);
}
