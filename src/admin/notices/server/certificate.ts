import { shownCertificate } from '#lib/httpClient/shownCertificate.ts';

const TIMEOUT_MS = 10_000;

/**
 * When the certificate ends that an https address shows. One that has ended, or that nobody trusts, is told all the same.
 *
 * @param url an https address
 * @returns epoch ms
 * @throws Error when there is no connection within ten seconds, or no certificate
 */
export async function certificateEnd(url: string): Promise<number> {
  const { validTo } = await shownCertificate(url, TIMEOUT_MS);
  if (Number.isNaN(validTo)) throw new Error('It shows no certificate.');
  return validTo;
}
