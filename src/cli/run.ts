import { EXIT, type RunDeps, UsageError } from './io.ts';
import { ConfigError } from '../config/config.ts';
import { isDamaged } from '../platform/db/damage.ts';
import { isDiskFull, StartError } from '../lib/errors.ts';

type Command = (deps: RunDeps, rest: readonly string[], typed: string) => number | Promise<number>;

function refuseMore([more]: readonly string[], typed: string): void {
  if (more !== undefined) throw new UsageError(`"${typed}" takes no arguments, but got "${more}".`);
}

const bare =
  (command: (deps: RunDeps) => number | Promise<number>): Command =>
  (deps, rest, typed) => {
    refuseMore(rest, typed);
    return command(deps);
  };

const check: Command = async ({ io, openAssets }, rest) => {
  const command = await import('./check.ts');
  return command.check(io, await openAssets(), command.checkOptions(rest));
};

const version = bare(({ io }) => {
  const { about, program } = io;
  // Without a key it can't verify releases, so it installs none automatically.
  const unsigned = program.isStandalone && program.releaseKey === null ? ', unsigned' : '';
  io.out(`bellbird ${about.version} (${about.commit})${unsigned}`);
  return EXIT.ok;
});

/** `help` counts only as the first word, because an account may have that name. */
const isHelpOption = (word: string): boolean => word === '--help' || word === '-h';

const unknownCommand = (typed: string) => new UsageError(`Unknown command "${typed}".`);

async function help({ io }: RunDeps, words: readonly string[]): Promise<number> {
  const { commandHelp, helpText } = await import('./help.ts');
  const text = words.length === 0 ? helpText() : commandHelp(words);
  if (text === null) throw unknownCommand(words.join(' '));
  io.out(text);
  return EXIT.ok;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['serve', bare(async (deps) => (await import('./serve.ts')).serve(deps))],
  ['server', bare(async (deps) => (await import('./serve.ts')).serveAsChild(deps))],
  ['relay', bare(async (deps) => (await import('./relay.ts')).relay(deps))],
  ['check', check],
  ['health', bare(async ({ io }) => (await import('./health.ts')).health(io))],
  [
    'support',
    async ({ io, openAssets }, rest) => (await import('./support.ts')).support(io, await openAssets(), rest),
  ],
  ['user', async ({ io }, rest) => (await import('./user.ts')).user(io, rest)],
  ['service', async ({ io }, rest) => (await import('./service.ts')).service(io, rest)],
  ['backup', async ({ io }, rest) => (await import('./backup.ts')).backup(io, rest)],
  ['record', async ({ io, signals }, rest) => (await import('./record.ts')).record(io, signals, rest)],
  ['restore', async ({ io }, rest) => (await import('./restore.ts')).restore(io, rest)],
  ['write-support', async ({ io }, rest) => (await import('./support.ts')).writeSupport(io, rest)],
  // The server starts these and `write-support` itself; users do not.
  ...(['write-backup', 'send-backup', 'list-target', 'prepare-restore'] as const).map(
    (name): [string, Command] => [
      name,
      bare(async ({ io }) => (await import('./targetProcess.ts')).targetProcess(io, name)),
    ],
  ),
  ['pdf-text', bare(async () => (await import('./pdfText.ts')).pdfText())],
  ...['version', '--version', '-v'].map((name) => [name, version] as const),
]);

const SERVERS: ReadonlySet<string> = new Set(['serve', 'server', 'relay']);

async function dispatch(args: readonly string[], deps: RunDeps): Promise<number> {
  if (args[0] === 'help' || args.some(isHelpOption)) {
    const words = args[0] === 'help' ? args.slice(1) : args;
    return help(
      deps,
      words.filter((word) => !word.startsWith('-')),
    );
  }
  const [typed = 'serve', ...rest] = args;
  // Servers keep the delayed compilation, because much of their code runs a few times per month.
  if (!SERVERS.has(typed)) deps.io.compileEarly?.();
  const command = COMMANDS.get(typed);
  if (!command) throw unknownCommand(typed);
  return command(deps, rest, typed);
}

/** @param args the arguments after the program's name @returns the exit code, one of `EXIT` */
export async function run(args: readonly string[], deps: RunDeps): Promise<number> {
  const { err } = deps.io;
  try {
    return await dispatch(args, deps);
  } catch (error) {
    if (error instanceof UsageError) {
      err(error.message);
      const { commandHelp } = await import('./help.ts');
      const [typed = ''] = args;
      err(
        commandHelp([typed]) === null
          ? 'Run "bellbird --help" to list the commands.'
          : `Run "bellbird ${typed} --help" for its usage.`,
      );
      return EXIT.usage;
    }
    if (error instanceof ConfigError) {
      err('These settings are wrong. Correct them and try again:');
      for (const problem of error.problems) err(`  ${problem}`);
      return EXIT.settings;
    }
    if (error instanceof StartError) err(error.message);
    else if (isDamaged(error)) {
      err(
        'The database is damaged. Check the disk, then restore the last backup with "bellbird restore FILE".',
      );
    } else if (isDiskFull(error)) {
      err('The disk of the data folder is full. Free some space and try again. Saved data is not affected.');
    } else
      err(
        `Unexpected error, probably a bug in Bellbird: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    return EXIT.failed;
  }
}
