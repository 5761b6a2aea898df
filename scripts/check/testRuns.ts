type Runs = { others: string[]; web: string[] };

/** Separates component tests, which need a document, from the others. */
export function byKind(paths: readonly string[]): Runs {
  const isWeb = (path: string): boolean => /^test\/(?:(?:subjects|admin)\/\w+\/|admin\/)?web\//.test(path);
  return { others: paths.filter((path) => !isWeb(path)), web: paths.filter(isWeb) };
}

/** A command that runs files of one kind in one process, with the running Bun. @param flags of `bun test` */
export const bunTest = (kind: keyof Runs, paths: readonly string[], ...flags: string[]): string[] => [
  process.execPath,
  'test',
  '--timeout',
  '60000',
  '--no-isolate',
  ...flags,
  ...(kind === 'web' ? ['--preload', './test/support/dom.ts'] : []),
  ...paths.map((path) => `./${path}`),
];

/** Whether a test starts the executable, which only the whole run builds. */
export const needsExecutable = (path: string): boolean => path.startsWith('test/executable/');

/** Whether a test is left to `bun run verify:drills`, because it needs the executable or a Redis server. */
export const isDrill = (path: string): boolean =>
  needsExecutable(path) || path.startsWith('test/liveRelays/');
