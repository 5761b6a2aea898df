import { SETTING_GROUPS } from '../config/config.ts';

type CommandHelp = {
  takes?: string;
  summary: string;
  options?: readonly (readonly [option: string, meaning: string])[];
  notes?: readonly string[];
};

const OFFLINE = ['--offline', 'do not connect to other machines'] as const;
const WHILE_RUNNING = 'You can run it while the server runs.';
const PASSWORD =
  'Type the password when asked, or send it on standard input: echo "$PASSWORD" | bellbird user add anna';

const COMMANDS: Readonly<Record<string, CommandHelp>> = {
  serve: {
    summary: 'Start the server (the default command)',
    notes: [
      'Press Ctrl+C to stop it. The first start prints a link; open it to create the administrator account.',
      'Exit code 78: a setting is wrong. Exit code 75: the Admin Panel requested a restart, so start it again.',
    ],
  },
  relay: {
    summary: 'Serve pages for a primary server',
    notes: ['Set BELLBIRD_PRIMARY_URL, BELLBIRD_ENGINE_URL and BELLBIRD_RELAY_SECRET first.'],
  },
  check: {
    summary: 'Find problems and show how to fix them',
    options: [
      OFFLINE,
      ['--json', 'print JSON; do not connect to other machines'],
      ['--network', 'with --json, connect to other machines too'],
    ],
    notes: [
      'Checks settings, permissions, clock, disk, memory and database, every configured source, bot and model, the backup',
      'target and the public address. It sends no messages. The exit code is 1 if something is wrong.',
      WHILE_RUNNING,
    ],
  },
  health: {
    summary: 'Check that the server on this machine responds, for container health checks',
    notes: [
      'The exit code is 0 if the server is healthy, otherwise 1. Use the same settings as the server: they give its address.',
    ],
  },
  'service install': {
    summary: 'Install Bellbird as a systemd service (as root) and print the set-up link',
    options: [['--older', 'also replace a newer version']],
    notes: [
      'Creates the user, the data folder, the systemd unit and /etc/bellbird/env, and starts the service. Run it from a',
      'newer file to update the program. Settings and data are kept.',
    ],
  },
  'service uninstall': { summary: 'Remove the systemd service (as root); data and settings are kept' },
  support: {
    takes: '[FILE]',
    summary: 'Write a file for a bug report, without secrets or personal data',
    options: [OFFLINE],
    notes: ['The default FILE is bellbird-support-DATE.tar.gz in the current folder.', WHILE_RUNNING],
  },
  'user add': {
    takes: 'NAME',
    summary: 'Add an account',
    options: [
      ['--admin', 'make it an administrator'],
      ['--tier TIER', 'plan: free (the default), basic or premium'],
      ['--email ADDRESS', 'email address'],
    ],
    notes: [PASSWORD, WHILE_RUNNING],
  },
  'user promote': { takes: 'NAME', summary: 'Give an account administrator rights', notes: [WHILE_RUNNING] },
  'user password': {
    takes: 'NAME',
    summary: 'Set a new password and log the account out everywhere',
    notes: [PASSWORD.replace('add', 'password'), 'Two-factor login stays on.', WHILE_RUNNING],
  },
  'user clear-second-factor': {
    takes: 'NAME',
    summary: 'Turn off two-factor login for a user who lost their phone',
    notes: [WHILE_RUNNING],
  },
  'user list': { summary: 'List the accounts', notes: [WHILE_RUNNING] },
  backup: {
    takes: '[FILE]',
    summary: 'Write a backup and verify it',
    notes: [
      'Without FILE, the backup goes to the folder "backups" in the data folder, and to BELLBIRD_BACKUP_TARGET',
      'if that is set.',
      WHILE_RUNNING,
    ],
  },
  restore: {
    takes: 'FILE | --from-target [NAME]',
    summary: 'Restore a backup; the current database is kept as a copy',
    options: [
      ['--from-target [NAME]', 'newest backup of this server at BELLBIRD_BACKUP_TARGET, or the backup NAME'],
      ['--yes', 'with --from-target, do not ask for confirmation'],
    ],
    notes: [
      'Stop the server first. If the backup is encrypted, type its passphrase or key, or send it on standard input.',
    ],
  },
  record: {
    takes: 'FILE',
    summary: 'Record the market until the session ends',
    options: [['--until 16:30', 'stop at this time (Sydney)']],
    notes: ['Press Ctrl+C to stop earlier. It uses the settings of the server.', WHILE_RUNNING],
  },
  version: { summary: 'Print the version and the commit' },
};

const SETTINGS_HINT = 'Run "bellbird --help" to list the settings. BELLBIRD_DATA is the data folder.';

const usageOf = (words: string, { takes, options = [] }: CommandHelp): string => {
  const hasMore = options.some(([option]) => !takes?.includes(option));
  return [words, ...(hasMore ? ['[options]'] : []), ...(takes === undefined ? [] : [takes])].join(' ');
};

function aligned(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length)) + 2;
  return rows.map(([first, second]) => `  ${first.padEnd(width)}${second}`);
}

export function helpText(): string {
  const commands = Object.entries(COMMANDS).map(
    ([words, { takes, summary }]) => [takes === undefined ? words : `${words} ${takes}`, summary] as const,
  );
  const groups = Object.entries(SETTING_GROUPS).map(([theme, settings]) =>
    [
      `${theme}:`,
      ...aligned(
        Object.entries(settings).map(([name, { meaning, shown, fallback }]) => [
          name,
          `${meaning} [${shown ?? String(fallback)}]`,
        ]),
      ),
    ].join('\n'),
  );
  return [
    'Bellbird: live ASX scanners, alerts and trade ideas.',
    'Usage: bellbird COMMAND',
    ['Commands:', ...aligned(commands)].join('\n'),
    'Run "bellbird COMMAND --help" for the options of a command.',
    'Settings are environment variables. The default is in brackets.',
    ...groups,
  ].join('\n\n');
}

function section(words: string, help: CommandHelp): string {
  const { summary, options = [], notes = [] } = help;
  const parts = [
    [`Usage: bellbird ${usageOf(words, help)}`],
    [`${summary}.`, ...notes],
    options.length === 0 ? [] : ['Options:', ...aligned(options)],
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/**
 * The help of one command, or of all commands that begin with the same word.
 * @param words command line without options, such as `user add`
 * @returns null if there is no such command
 */
export function commandHelp([first = '', second = '']: readonly string[]): string | null {
  const all = Object.keys(COMMANDS);
  const exact = `${first} ${second}`;
  const found = all.includes(exact)
    ? [exact]
    : all.filter((words) => words === first || words.startsWith(`${first} `));
  if (found.length === 0) return null;
  return [...found.flatMap((words) => section(words, COMMANDS[words] as CommandHelp)), SETTINGS_HINT].join(
    '\n\n',
  );
}
