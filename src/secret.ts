import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomToken } from './lib/ids.ts';
import { StartError } from './lib/startError.ts';

/**
 * The secret that signs tokens: made once, kept in the data folder where only the owner reads it.
 *
 * @param folder the data folder, which exists
 */
export function loadJwtSecret(folder: string): string {
  const path = join(folder, 'jwt-secret');
  try {
    writeFileSync(path, randomToken() + randomToken(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < 32)
    throw new StartError(`The file ${path} is damaged. Remove it; everybody logs in again then.`);
  return secret;
}
