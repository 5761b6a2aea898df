import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config.ts';
import { dataPaths, makeDataFolder } from '../dataFolder.ts';
import { type DataLock, lockData } from '../db/lock.ts';
import { type Db, openDb } from '../db/open.ts';
import {
  accessLevel,
  passwordError,
  registerError,
  type SubscriptionType,
} from '../domain/accounts/accountRules.ts';
import { createPasswords } from '../features/accounts/passwords.ts';
import { addAccount } from '../features/accounts/service.ts';
import { accountStore, type UserRow } from '../features/accounts/store.ts';
import { StartError } from '../lib/startError.ts';
import { EXIT, type Io, UsageError } from './io.ts';

function tryLock(folder: string): DataLock | null {
  try {
    return lockData(folder, 0);
  } catch {
    // A running server holds it; the commands below write briefly and SQLite keeps the two apart.
    return null;
  }
}

async function withDatabase<T>(io: Io, work: (db: Db) => Promise<T>): Promise<T> {
  const paths = dataPaths(loadConfig(io.env).config);
  makeDataFolder(paths.folder);
  const lock = tryLock(paths.folder);
  try {
    const options = { path: paths.database, copyFolder: paths.backups, now: io.wall.now() };
    const { db } = openDb({ ...options, mayMigrate: lock !== null || !existsSync(paths.database) });
    try {
      return await work(db);
    } finally {
      db.$client.close();
    }
  } finally {
    lock?.release();
  }
}

async function newPassword(io: Io): Promise<string> {
  const password = await io.readSecret('Password:');
  if (password === null || password === '') {
    throw new UsageError('Type the password when it is asked for, or send it on the standard input.');
  }
  const weak = passwordError(password);
  if (weak) throw new StartError(`${weak}.`);
  return password;
}

function existing(db: Db, name: string): UserRow {
  const user = accountStore(db).find(name);
  if (!user) throw new StartError(`There is no account with the name or email "${name}".`);
  return user;
}

function readTier(text: string | undefined): SubscriptionType {
  const tier = text ?? 'free';
  if (tier === 'free' || tier === 'basic' || tier === 'premium') return tier;
  throw new UsageError('--tier must be free, basic or premium.');
}

type AddFlags = { admin?: boolean; tier?: string; email?: string };

async function add(io: Io, name: string, flags: AddFlags): Promise<string> {
  const subscriptionType = readTier(flags.tier);
  const password = await newPassword(io);
  const email = flags.email?.trim() || null;
  const problem = registerError({ username: name, password, ...(email === null ? {} : { email }) });
  if (problem) throw new StartError(`${problem}.`);
  const passwordHash = await createPasswords().hash(password);
  return withDatabase(io, async (db) => {
    const account = {
      username: name.trim(),
      email,
      passwordHash,
      subscriptionType,
      isAdmin: flags.admin === true,
    };
    const result = addAccount({ db, clock: io.wall }, account);
    if ('ok' in result) throw new StartError(result.error);
    return `Added ${result.username}${result.isAdmin ? ', an administrator' : ''}.`;
  });
}

const promote = (io: Io, name: string): Promise<string> =>
  withDatabase(io, async (db) => {
    const user = existing(db, name);
    accountStore(db).update(user.id, { isAdmin: true });
    return `${user.username} is an administrator now.`;
  });

async function setPassword(io: Io, name: string): Promise<string> {
  await withDatabase(io, async (db) => existing(db, name));
  const passwordHash = await createPasswords().hash(await newPassword(io));
  return withDatabase(io, async (db) => {
    const store = accountStore(db);
    const user = existing(db, name);
    store.immediately(() => {
      store.update(user.id, { passwordHash });
      store.revokeSessions(user.id, io.wall.now());
    });
    return `${user.username} has a new password; all sessions of the account have ended.`;
  });
}

const list = (io: Io): Promise<string> =>
  withDatabase(io, async (db) => {
    const users = accountStore(db).list();
    if (users.length === 0) return 'There are no accounts yet.';
    const rows = users.map((user) => [
      String(user.id),
      user.username,
      user.email ?? '-',
      user.subscriptionType,
      user.isAdmin ? 'admin' : '-',
      String(accessLevel(user)),
      new Date(user.createdAt).toISOString().slice(0, 10),
    ]);
    const table = [['ID', 'Username', 'Email', 'Plan', 'Admin', 'Level', 'Created'], ...rows];
    const widths =
      table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
    const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    return table.map((row) => line(row).trimEnd()).join('\n');
  });

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { admin: { type: 'boolean' }, tier: { type: 'string' }, email: { type: 'string' } },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * `user add|promote|password|list`: works beside a running server, which reads rights from the database anyway.
 *
 * @param args what follows `user` on the command line
 * @returns the exit code
 * @throws UsageError, StartError or ConfigError with a sentence to print
 */
export async function user(io: Io, args: readonly string[]): Promise<number> {
  const { positionals, values } = parse(args);
  const [action = '', name, ...rest] = positionals;
  if (!['add', 'promote', 'password', 'list'].includes(action)) {
    throw new UsageError('Say what to do: user add, user promote, user password or user list.');
  }
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many.`);
  if (action !== 'add' && Object.keys(values).length > 0) {
    throw new UsageError('--admin, --tier and --email belong to user add.');
  }
  if (action === 'list') {
    if (name !== undefined) throw new UsageError('user list takes no name.');
    io.out(await list(io));
    return EXIT.ok;
  }
  if (name === undefined) throw new UsageError(`Give the name of the account: user ${action} <name>.`);
  if (action === 'add') io.out(await add(io, name, values as AddFlags));
  else io.out(await (action === 'promote' ? promote(io, name) : setPassword(io, name)));
  return EXIT.ok;
}
