import { SQLiteError } from 'bun:sqlite';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config/config.ts';
import { type DataPaths, dataPaths, makeDataFolder } from '../config/dataPaths.ts';
import { closeDataFolder, refuseLostData } from '../dataFolder.ts';
import type { Clock } from '../lib/clock.ts';
import { StartError } from '../lib/errors.ts';
import type { Result } from '../lib/result.ts';
import { damagedError, isDamaged } from '../platform/db/damage.ts';
import { type DataLock, lockData } from '../platform/db/lock.ts';
import { type Db, openDb } from '../platform/db/open.ts';
import { AppError } from '../platform/http/errors.ts';
import { accessLevel, type SubscriptionType } from '../platform/http/rules/accessLevel.ts';
import { checkPassword, checkRegistration } from '../subjects/accounts/rules/accountRules.ts';
import { createPasswords, OPERATOR } from '../subjects/accounts/server/passwords.ts';
import { addAccount } from '../subjects/accounts/server/register.ts';
import { secondFactorStore } from '../subjects/accounts/server/secondFactor/codes.ts';
import { sessionStore } from '../subjects/accounts/server/sessions.ts';
import { accountStore, type NewAccount, type UserRow } from '../subjects/accounts/server/store.ts';
import { EXIT, type Io, UsageError } from './io.ts';

function tryLock(folder: string): DataLock | null {
  try {
    return lockData(folder, 0);
  } catch {
    // A running server holds the lock. The commands below write briefly, and SQLite serialises the writes.
    return null;
  }
}

function needDatabase({ database, folder }: DataPaths): void {
  if (existsSync(database)) return;
  throw new StartError(
    `There is no database in ${folder}. Set BELLBIRD_DATA to the data folder of your server.`,
  );
}

/**
 * Opens the configured database for a task, also while the server runs.
 * @param options.mayMake whether a missing database is created
 * @throws ConfigError, StartError with a sentence to print
 */
async function withDatabase<T>(io: Io, work: (db: Db) => Promise<T>, { mayMake = false } = {}): Promise<T> {
  const paths = dataPaths(loadConfig(io.env).config);
  if (!mayMake) needDatabase(paths);
  makeDataFolder(paths.folder);
  refuseLostData(paths);
  const lock = tryLock(paths.folder);
  try {
    const options = { path: paths.database, copyFolder: paths.backups, now: io.wall.now() };
    const { db } = openDb({ ...options, mayMigrate: lock !== null || !existsSync(paths.database) });
    try {
      closeDataFolder(paths);
      return await work(db);
    } finally {
      db.$client.close();
    }
  } catch (error) {
    throw error instanceof SQLiteError && isDamaged(error)
      ? damagedError(paths.database, error.message, error)
      : error;
  } finally {
    lock?.release();
  }
}

function valid<T>(checked: Result<T>): T {
  if (checked.ok) return checked.value;
  throw new StartError(`${checked.error.message}.`);
}

async function newPassword(io: Io): Promise<string> {
  const password = await io.readSecret('Password:');
  if (password === null || password === '') {
    throw new UsageError('The password is missing. Type it when asked, or send it on standard input.');
  }
  return valid(checkPassword(password));
}

function existing(db: Db, name: string): UserRow {
  const user = accountStore(db).find(name);
  if (!user)
    throw new StartError(
      `There is no account with the name or email "${name}". Run "bellbird user list" to see all accounts.`,
    );
  return user;
}

function addTo(db: Db, account: NewAccount, clock: Clock): UserRow {
  try {
    return addAccount(db, clock, account);
  } catch (error) {
    throw error instanceof AppError ? new StartError(error.message, { cause: error }) : error;
  }
}

export type AddOptions = { isAdmin: boolean; subscriptionType: SubscriptionType; email: string | null };

export async function addUser(io: Io, name: string, options: AddOptions): Promise<string> {
  const password = await newPassword(io);
  const { username, email } = valid(checkRegistration({ username: name, password, email: options.email }));
  const passwordHash = await createPasswords().hash(password, OPERATOR);
  const add = async (db: Db): Promise<string> => {
    const added = addTo(db, { ...options, username, email, passwordHash }, io.wall);
    return `Added ${added.username}${added.isAdmin ? ', an administrator' : ''}.`;
  };
  // The first account may exist before the first start.
  return withDatabase(io, add, { mayMake: true });
}

export const promoteUser = (io: Io, name: string): Promise<string> =>
  withDatabase(io, async (db) => {
    const user = existing(db, name);
    accountStore(db).update(user.id, { isAdmin: true });
    return `${user.username} is now an administrator.`;
  });

export async function setPassword(io: Io, name: string): Promise<string> {
  await withDatabase(io, async (db) => existing(db, name));
  const passwordHash = await createPasswords().hash(await newPassword(io), OPERATOR);
  return withDatabase(io, async (db) => {
    const store = accountStore(db);
    const user = existing(db, name);
    store.inTransaction(() => {
      store.update(user.id, { passwordHash });
      sessionStore(db).revokeAllOf(user.id, io.wall.now());
    });
    const stays = secondFactorStore(db).on(user.id)
      ? ' Two-factor login stays on; to turn it off, run "bellbird user clear-second-factor".'
      : '';
    return `${user.username} has a new password and is logged out everywhere.${stays}`;
  });
}

export const clearSecondFactor = (io: Io, name: string): Promise<string> =>
  withDatabase(io, async (db) => {
    const user = existing(db, name);
    return secondFactorStore(db).remove(user.id)
      ? `${user.username} now logs in with only the password.`
      : `${user.username} has no two-factor login. Nothing was changed.`;
  });

const COLUMNS = ['ID', 'Username', 'Email', 'Plan', 'Admin', 'Level', 'Created'];

const cellsOf = (user: UserRow): string[] => [
  String(user.id),
  user.username,
  user.email ?? '-',
  user.subscriptionType,
  user.isAdmin ? 'admin' : '-',
  String(accessLevel(user)),
  new Date(user.createdAt).toISOString().slice(0, 10),
];

function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => lineOf(row).trimEnd()).join('\n');
}

export const listUsers = (io: Io): Promise<string> =>
  withDatabase(io, async (db) => {
    const users = accountStore(db).list();
    return users.length === 0 ? 'There are no accounts yet.' : alignColumns([COLUMNS, ...users.map(cellsOf)]);
  });

function readTier(text: string | undefined): SubscriptionType {
  const tier = text ?? 'free';
  if (tier === 'free' || tier === 'basic' || tier === 'premium') return tier;
  throw new UsageError('--tier must be free, basic or premium.');
}

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

const CHANGES: Readonly<Record<string, (io: Io, name: string) => Promise<string>>> = {
  promote: promoteUser,
  password: setPassword,
  'clear-second-factor': clearSecondFactor,
};

/**
 * `user …`: manages accounts, also while the server runs, which reads rights from the database.
 * @param args the arguments after `user`
 * @throws UsageError, StartError or ConfigError with a sentence to print
 */
export async function user(io: Io, args: readonly string[]): Promise<number> {
  const { positionals, values } = parse(args);
  const [action = '', name, ...rest] = positionals;
  if (!['add', 'list', ...Object.keys(CHANGES)].includes(action)) {
    throw new UsageError('Use "user" with add, promote, password, clear-second-factor or list.');
  }
  if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}".`);
  if (action !== 'add' && Object.keys(values).length > 0) {
    throw new UsageError('--admin, --tier and --email are only for "user add".');
  }
  if (action === 'list') {
    if (name !== undefined) throw new UsageError('"user list" takes no name.');
    io.out(await listUsers(io));
    return EXIT.ok;
  }
  if (name === undefined) throw new UsageError(`The account name is missing: bellbird user ${action} NAME`);
  if (action === 'add') {
    const { admin = false, tier, email = null } = values;
    io.out(await addUser(io, name, { isAdmin: admin, subscriptionType: readTier(tier), email }));
  } else io.out((await CHANGES[action]?.(io, name)) ?? '');
  return EXIT.ok;
}
