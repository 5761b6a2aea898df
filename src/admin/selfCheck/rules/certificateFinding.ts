import type { ShownCertificate } from '#lib/httpClient/probe.ts';
import { bad, doubtful, type Finding, good } from '#lib/finding.ts';
import { CERTIFICATE_SOON_DAYS, endsWithin } from './certificateEnd.ts';

const DAY_MS = 86_400_000;
const WHAT = 'Certificate';
const RENEW =
  'Look at the log of the proxy (for Caddy "journalctl -u caddy"): it renews the certificate, for which ports 80 and 443 must be reached from outside.';

/**
 * What is to be said of the certificate behind the public address.
 * @param host the name of the address; @param now epoch ms
 */
export function certificateFinding(shown: ShownCertificate, host: string, now: number): Finding {
  const days = Math.floor((shown.validTo - now) / DAY_MS);
  if (shown.validTo <= now) return bad(WHAT, `The certificate of ${host} ran out ${-days} days ago.`, RENEW);
  if (shown.validFrom > now) {
    return bad(WHAT, `The certificate of ${host} is not valid yet.`, 'Look at the clock of this machine.');
  }
  if (shown.isOtherName) {
    return bad(
      WHAT,
      `The certificate is not for ${host}.`,
      'Set the name in the configuration of the proxy, or correct BELLBIRD_PUBLIC_URL.',
    );
  }
  if (shown.chainProblem !== null) {
    return bad(
      WHAT,
      `The certificate of ${host} is not trusted (${shown.chainProblem}).`,
      'Have the proxy serve the whole chain (fullchain.pem), from an issuer that browsers know.',
    );
  }
  if (Number.isNaN(shown.validTo))
    return doubtful(WHAT, `The certificate of ${host} does not say until when it is valid.`, RENEW);
  if (endsWithin(shown.validTo, now, CERTIFICATE_SOON_DAYS))
    return doubtful(WHAT, `The certificate of ${host} runs out in ${days} days.`, RENEW);
  return good(WHAT, `The certificate of ${host} is trusted and valid for ${days} days more.`);
}
