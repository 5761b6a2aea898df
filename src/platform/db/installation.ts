import { Database } from 'bun:sqlite';
import { isRecord, parseJson } from '#lib/json.ts';
import { WRITE_FACT } from './facts.ts';

const INSTALLATION = 'installation';
const USED_TARGET = 'backup_target_used';
const SENT = 'backup_sent';
const FORM = /^[a-z\d]{8}$/;

export type TargetMemory = {
  /** Eight letters and digits that identify the server at a shared target; null if it has none yet. */
  installation: string | null;
  /** A description of the target that was used last; null for none. */
  usedTarget: string | null;
};

function withDatabase<T>(path: string, work: (client: Database) => T): T {
  const client = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    client.run('PRAGMA busy_timeout = 5000');
    return work(client);
  } finally {
    client.close();
  }
}

function readFact(client: Database, key: string): unknown {
  const row = client.query<{ value: string }, [string]>('SELECT value FROM facts WHERE key = ?1').get(key);
  const parsed = parseJson(row?.value ?? '');
  return parsed.ok ? parsed.value : null;
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function installationIn(client: Database): string | null {
  const value = asText(readFact(client, INSTALLATION));
  return value !== null && FORM.test(value) ? value : null;
}

function memoryIn(client: Database): TargetMemory {
  const sent = readFact(client, SENT);
  return {
    installation: installationIn(client),
    // Earlier versions noted only the backup.
    usedTarget: asText(readFact(client, USED_TARGET)) ?? (isRecord(sent) ? asText(sent['where']) : null),
  };
}

/** @returns empty values if the database is missing or unreadable, because a backup is needed then */
export function readTargetMemory(path: string): TargetMemory {
  try {
    return withDatabase(path, memoryIn);
  } catch {
    return { installation: null, usedTarget: null };
  }
}

/** Makes a name if there is none. A restored server keeps the name in the backup. */
function nameOf(client: Database): string {
  const known = installationIn(client);
  if (known !== null) return known;
  const made = crypto.randomUUID().slice(0, 8);
  client.query(WRITE_FACT).run(INSTALLATION, JSON.stringify(made));
  return made;
}

export const targetMemory = (path: string): TargetMemory & { installation: string } =>
  withDatabase(path, (client) => ({ ...memoryIn(client), installation: nameOf(client) }));

export function noteUsedTarget(path: string, target: string): void {
  withDatabase(path, (client) => client.query(WRITE_FACT).run(USED_TARGET, JSON.stringify(target)));
}
