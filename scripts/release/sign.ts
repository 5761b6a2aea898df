import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELEASE_FILES, type ReleaseInfo, sha256 } from '#platform/install/server/releaseSource.ts';

export const PUBLIC_KEY_FILE = 'release-key.pub';

/** File of the signing key, which must not be in a repository. */
export const PRIVATE_KEY_FILE = 'release-key.pem';

/**
 * Makes a pair of keys: the private one readable only by its owner, the public one to commit.
 * @throws Error if a private key exists, because installations trust it
 */
export function makeKeys(folder: string): void {
  const path = join(folder, PRIVATE_KEY_FILE);
  if (existsSync(path)) throw new Error(`${path} is there already. Installed executables trust it; keep it.`);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  writeFileSync(path, privateKey, { mode: 0o600, flag: 'wx' });
  writeFileSync(join(folder, PUBLIC_KEY_FILE), publicKey);
}

const publicHalf = (privateKey: string): string =>
  createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'pem' }).toString();

/** Refuses a key that the released executables would not trust. @throws Error */
export function checkKey(privateKey: string, folder: string): void {
  const path = join(folder, PUBLIC_KEY_FILE);
  const trusted = existsSync(path) ? readFileSync(path, 'utf8') : null;
  if (trusted?.trim() === publicHalf(privateKey).trim()) return;
  throw new Error(`The signing key does not match ${PUBLIC_KEY_FILE}, which the executables trust.`);
}

/**
 * Writes the metadata of a release: `release.json`, checksums and, with a key, their signature.
 * @param files in the folder: `names` are the executables, `packages` other files with a checksum
 * @param privateKey in PEM; null leaves the release unsigned, so that no server updates to it automatically
 */
export function describeRelease(
  folder: string,
  { names, packages = [] }: { names: readonly string[]; packages?: readonly string[] },
  about: Omit<ReleaseInfo, 'files'>,
  privateKey: string | null,
): void {
  const bytesOf = (name: string): Buffer => readFileSync(join(folder, name));
  const files = Object.fromEntries(names.map((name) => [name, bytesOf(name).byteLength]));
  const info: ReleaseInfo = { ...about, files };
  writeFileSync(join(folder, RELEASE_FILES.about), `${JSON.stringify(info, null, 2)}\n`);
  const sums = [...names, ...packages, RELEASE_FILES.about]
    .map((name) => `${sha256(bytesOf(name))}  ${name}\n`)
    .join('');
  writeFileSync(join(folder, RELEASE_FILES.sums), sums);
  if (privateKey === null) return;
  const signature = sign(null, Buffer.from(sums), createPrivateKey(privateKey)).toString('base64');
  writeFileSync(join(folder, RELEASE_FILES.signature), `${signature}\n`);
}
