import type { Database } from 'bun:sqlite';
import { WRITE_FACT } from './writeFact.ts';

const KEY = 'installation';
const FORM = /^[a-z\d]{8}$/;

const kept = (client: Database): string | null => {
  const row = client.query<{ value: string }, [string]>('SELECT value FROM facts WHERE key = ?1').get(KEY);
  const value: unknown = row === null ? null : JSON.parse(row.value);
  return typeof value === 'string' && FORM.test(value) ? value : null;
};

/**
 * Eight letters and digits that name this server among others that use one backup target. Made once; a restored server
 * goes on with the name that the backup has.
 */
export function installationOf(client: Database): string {
  const known = kept(client);
  if (known !== null) return known;
  const made = crypto.randomUUID().slice(0, 8);
  client.query(WRITE_FACT).run(KEY, JSON.stringify(made));
  return made;
}
