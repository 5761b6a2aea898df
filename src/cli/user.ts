import { parseArgs } from 'node:util';
import type { SubscriptionType } from '../platform/http/rules/accessLevel.ts';
import { EXIT, type Io, UsageError } from './io.ts';
import { addUser, clearSecondFactor, listUsers, promoteUser, setPassword } from './userCommands.ts';

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
 * `user add|promote|password|clear-second-factor|list`: works beside a running server, which reads rights from the database anyway.
 *
 * @param args what follows `user` on the command line
 * @returns the exit code
 * @throws UsageError, StartError or ConfigError with a sentence to print
 */
export async function user(io: Io, args: readonly string[]): Promise<number> {
  const { positionals, values } = parse(args);
  const [action = '', name, ...rest] = positionals;
  if (!['add', 'list', ...Object.keys(CHANGES)].includes(action)) {
    throw new UsageError(
      'Say what to do: user add, user promote, user password, user clear-second-factor or user list.',
    );
  }
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many.`);
  if (action !== 'add' && Object.keys(values).length > 0) {
    throw new UsageError('--admin, --tier and --email belong to user add.');
  }
  if (action === 'list') {
    if (name !== undefined) throw new UsageError('user list takes no name.');
    io.out(await listUsers(io));
    return EXIT.ok;
  }
  if (name === undefined) throw new UsageError(`Give the name of the account: user ${action} <name>.`);
  if (action === 'add') {
    const { admin = false, tier, email = null } = values;
    io.out(await addUser(io, name, { isAdmin: admin, subscriptionType: readTier(tier), email }));
  } else io.out((await CHANGES[action]?.(io, name)) ?? '');
  return EXIT.ok;
}
