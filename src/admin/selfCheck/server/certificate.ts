import { errorCode } from '#lib/errorCode.ts';
import { bad, type Finding } from '#lib/finding.ts';
import { hostOf, shownCertificate } from '#lib/httpClient/shownCertificate.ts';
import { certificateFinding } from '../rules/certificateFinding.ts';

/** Why it could not be asked, in a word or two. */
function reasonOf(problem: unknown): string {
  const code = errorCode(problem);
  if (code) return code;
  return problem instanceof Error ? problem.message : 'no TLS';
}

/**
 * Looks at the certificate behind the public address, whatever is wrong with it; nothing is sent there.
 * @param address an https address; @param now epoch ms; @param timeoutMs for all of it
 * @returns never rejects
 */
export async function lookAtCertificate(address: string, now: number, timeoutMs: number): Promise<Finding> {
  const host = hostOf(address);
  try {
    return certificateFinding(await shownCertificate(address, timeoutMs), host, now);
  } catch (problem) {
    return bad(
      'Certificate',
      `${host} could not be asked for its certificate (${reasonOf(problem)}).`,
      'Look whether the proxy runs and its name points to this machine.',
    );
  }
}
