import { bad, type Finding, good } from '#lib/finding.ts';

/** Further from other servers' clocks than this is told. */
const MAX_SKEW_MS = 60_000;

/** 75 seconds, 12 minutes, 3 hours, 5 days. */
function spanText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

/** How far this clock is from others. `isWrong`: by so much that things go wrong. */
type ClockSkew = { isWrong: boolean; text: string; remedy: string };

/**
 * Compares this machine's clock with those of the servers that answered. The nearest counts: a kept answer makes another
 * clock look late, and nothing makes a wrong one look right.
 * @param ahead how far this clock is before each of the others, ms
 * @returns null if there are no others
 */
export function clockSkew(ahead: readonly number[]): ClockSkew | null {
  const [nearest] = [...ahead].sort((a, b) => Math.abs(a) - Math.abs(b));
  if (nearest === undefined) return null;
  const off = Math.abs(nearest);
  return {
    isWrong: off > MAX_SKEW_MS,
    text: `The clock of this machine is ${spanText(off)} ${nearest > 0 ? 'ahead' : 'behind'}: logins, market hours, reminders and delays go wrong by it.`,
    remedy: 'Let the machine set its clock: "timedatectl set-ntp true", then look at "timedatectl".',
  };
}

/** @param ahead as in `clockSkew` */
export function clockFinding(ahead: readonly number[]): Finding {
  const what = 'Clock';
  const skew = clockSkew(ahead);
  if (skew === null) return good(what, 'Not compared, as no other server was asked or none told the time.');
  return skew.isWrong
    ? bad(what, skew.text, skew.remedy)
    : good(what, 'Right to a minute, by the servers that answered.');
}
