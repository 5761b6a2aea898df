import { ConfigError } from '../config.ts';
import type { Assets } from '../platform/http/assets.ts';
import { isDamaged } from '../platform/db/damage.ts';
import { isDiskFull } from '../lib/diskFull.ts';
import { StartError } from '../lib/startError.ts';
import { EXIT, type Io, UsageError } from './io.ts';
import type { Signals } from './runServer.ts';

export type RunDeps = { io: Io; openAssets(): Assets | Promise<Assets>; signals: Signals };

async function dispatch(args: readonly string[], { io, openAssets, signals }: RunDeps): Promise<number> {
  const [command = 'serve', ...rest] = args;
  const refuseArguments = () => {
    if (rest.length > 0) throw new UsageError(`${command} takes nothing more, but "${rest[0]}" was given.`);
  };
  // A server keeps the executable's own measure: much of what it runs, it runs a few times in a month.
  if (command !== 'serve' && command !== 'server') io.compileEarly?.();
  // Each command's code is loaded only when it runs.
  switch (command) {
    case 'serve': {
      refuseArguments();
      const { serve } = await import('./serve.ts');
      return serve({ io, openAssets, signals });
    }
    // What `serve` starts. It is no command for people.
    case 'server': {
      refuseArguments();
      const { serveAsChild } = await import('./serve.ts');
      return serveAsChild({ io, openAssets, signals });
    }
    case 'check': {
      const asJson = rest[0] === '--json';
      if (asJson) rest.shift();
      refuseArguments();
      const { check } = await import('./check.ts');
      return check(io, await openAssets(), { asJson });
    }
    case 'user': {
      const { user } = await import('./user.ts');
      return user(io, rest);
    }
    case 'backup': {
      const { backup } = await import('./backup.ts');
      return backup(io, rest);
    }
    case 'record': {
      const { record } = await import('./record.ts');
      return record(io, signals, rest);
    }
    case 'restore': {
      const { restore } = await import('./restore.ts');
      return restore(io, rest);
    }
    // The server calls itself by these two, see platform/install/shared/backupProcess and subjects/announcements/server/summaries/pdf: no commands for people.
    case 'write-backup': {
      const { backupProcess } = await import('./backupProcess.ts');
      return backupProcess(io, rest);
    }
    case 'pdf-text': {
      refuseArguments();
      const { pdfText } = await import('./pdfText.ts');
      return pdfText();
    }
    case 'version':
    case '--version':
    case '-v':
      refuseArguments();
      io.out(`bellbird ${io.about.version} (${io.about.commit})`);
      return EXIT.ok;
    case 'help':
    case '--help':
    case '-h': {
      const { helpText } = await import('./help.ts');
      io.out(helpText());
      return EXIT.ok;
    }
    default:
      throw new UsageError(`"${command}" is not a command of bellbird.`);
  }
}

/**
 * Runs one command line.
 *
 * @param args what follows the program's name
 * @returns the exit code, one of `EXIT`
 */
export async function run(args: readonly string[], deps: RunDeps): Promise<number> {
  const { err } = deps.io;
  try {
    return await dispatch(args, deps);
  } catch (error) {
    if (error instanceof UsageError) {
      err(error.message);
      err('Run "bellbird --help" to see the commands.');
      return EXIT.usage;
    }
    if (error instanceof ConfigError) {
      err('Bellbird can’t run with these settings:');
      for (const problem of error.problems) err(`  ${problem}`);
      return EXIT.settings;
    }
    if (error instanceof StartError) err(error.message);
    else if (isDamaged(error)) {
      err(
        'The database is damaged. Restore the last backup with "bellbird restore FILE"; then look at the disk.',
      );
    } else if (isDiskFull(error)) {
      err('The disk of the data folder has no room left. Make some; nothing that was saved is lost.');
    } else
      err(
        `Something unexpected went wrong: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    return EXIT.failed;
  }
}
