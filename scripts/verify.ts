import { dirname, join } from 'node:path';

type Counts = { pass: number; fail: number; skip: number };
type Step = {
  name: string;
  command: string[];
  /** Names of steps without which this one has no sense. */
  needs?: string[];
  tests?: boolean;
  /** It needs a browser, or provides it. */
  inBrowser?: boolean;
};
type Outcome = { step: Step; seconds: number; ok: boolean; counts: Counts; skipped: boolean };

const root = dirname(import.meta.dir);
/** The running Bun itself: where only npx provides it, no `bun` need be on the path. */
const bun = process.execPath;
const tool = (name: string, ...args: string[]): string[] => [
  bun,
  '--bun',
  join('node_modules', '.bin', name),
  ...args,
];

const BROWSER = 'browser';

const STEPS: Step[] = [
  // First, so that nobody learns of it after minutes.
  { name: BROWSER, command: [bun, 'scripts/chromium.ts'], inBrowser: true },
  { name: 'format', command: tool('biome', 'format', '.') },
  { name: 'lint', command: tool('oxlint', '--type-aware') },
  { name: 'types', command: tool('tsc', '--noEmit') },
  { name: 'unused code', command: tool('knip') },
  { name: 'unit and API tests', command: [bun, 'run', 'test'], tests: true },
  { name: 'component tests', command: [bun, 'run', 'test:web'], tests: true },
  { name: 'build', command: [bun, 'scripts/build.ts', '--if-stale'] },
  {
    name: 'executable tests',
    command: [bun, 'test', './test/executable.test.ts', './test/outboxKills.test.ts'],
    needs: ['build'],
    tests: true,
  },
  {
    name: 'end-to-end tests',
    command: [bun, 'scripts/e2e.ts'],
    needs: ['build', BROWSER],
    tests: true,
    inBrowser: true,
  },
];

/**
 * The steps that a command line asks for.
 *
 * @param flags `--no-browser` leaves out what needs a browser
 * @throws Error with a sentence for any other
 */
export function chooseSteps(flags: readonly string[]): {
  steps: readonly Step[];
  leftOut: readonly string[];
} {
  const unknown = flags.find((flag) => flag !== '--no-browser');
  if (unknown !== undefined)
    throw new Error(`verify takes --no-browser and nothing else, but "${unknown}" was given.`);
  const isLeftOut = ({ inBrowser = false }: Step): boolean => inBrowser && flags.includes('--no-browser');
  return {
    steps: STEPS.filter((step) => !isLeftOut(step)),
    leftOut: STEPS.filter(isLeftOut).map(({ name }) => name),
  };
}

/** Adds up the closing lines of every `bun test` run in a text: ` 12 pass`, ` 0 fail`, ` 1 skip`. */
export function countTests(text: string): Counts {
  const counts: Counts = { pass: 0, fail: 0, skip: 0 };
  for (const [, number, word] of Bun.stripANSI(text).matchAll(/^ *(\d+) (pass|fail|skip|todo)$/gm)) {
    counts[word === 'todo' ? 'skip' : (word as keyof Counts)] += Number(number);
  }
  return counts;
}

async function run(step: Step): Promise<Outcome> {
  console.log(`\n── ${step.name}`);
  const started = performance.now();
  const child = Bun.spawn(step.command, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  let text = '';
  const relay = async (stream: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      to.write(chunk);
    }
  };
  await Promise.all([relay(child.stdout, process.stdout), relay(child.stderr, process.stderr)]);
  const ok = (await child.exited) === 0;
  const counts = step.tests ? countTests(text) : { pass: 0, fail: 0, skip: 0 };
  // A check that fails, or a test run that breaks before it counts, is a failure all the same.
  if (!ok && counts.fail === 0) counts.fail = 1;
  return {
    step,
    seconds: (performance.now() - started) / 1000,
    ok: ok && counts.fail === 0,
    counts,
    skipped: false,
  };
}

async function main(flags: readonly string[]): Promise<void> {
  const { steps, leftOut } = chooseSteps(flags);
  const outcomes: Outcome[] = [];
  for (const step of steps) {
    const lacking = outcomes.find(({ step: { name }, ok }) => !ok && step.needs?.includes(name));
    if (lacking) {
      console.log(`\n── ${step.name}: left out, as ${lacking.step.name} failed.`);
      outcomes.push({ step, seconds: 0, ok: false, counts: { pass: 0, fail: 0, skip: 0 }, skipped: true });
    } else {
      outcomes.push(await run(step));
    }
  }

  console.log('\n── summary');
  for (const { step, seconds, ok, counts, skipped } of outcomes) {
    const result = skipped ? 'left out' : ok ? 'ok' : 'FAILED';
    const tests = step.tests && !skipped ? `${counts.pass} passed, ${counts.fail} failed` : '';
    console.log(`${result.padEnd(8)} ${step.name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s  ${tests}`);
  }
  const sum = (key: keyof Counts): number => outcomes.reduce((total, { counts }) => total + counts[key], 0);
  const failed = outcomes.filter(({ ok }) => !ok).map(({ step }) => step.name);
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(', ')}.`);
  if (leftOut.length > 0) console.log(`\nNot checked, because of --no-browser: ${leftOut.join(', ')}.`);
  const skips = sum('skip') > 0 ? `, ${sum('skip')} skipped` : '';
  console.log(`${sum('pass')} passed, ${sum('fail')} failed${skips}`);
  process.exit(failed.length > 0 ? 1 : 0);
}

if (import.meta.main) {
  await main(process.argv.slice(2)).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  });
}
