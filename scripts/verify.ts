import { dirname } from 'node:path';
import { failuresIn, lastOf, reasonIn } from './check/failures.ts';
import { SHORT_RUN, SHORT_TESTS } from './check/shortRun.ts';
import { keepTimes, slowest, type TimedTest, timesIn } from './check/testTimes.ts';
import { CHECK_TYPES, tool } from './check/tool.ts';

type Counts = { pass: number; fail: number; skip: number };
type Step = {
  name: string;
  command: string[];
  needs?: string[];
  tests?: boolean;
  /** Runs in parallel to the nearest earlier step without this member, whose output is shown first. */
  alongside?: boolean;
  inBrowser?: boolean;
};
type Outcome = {
  step: Step;
  seconds: number;
  ok: boolean;
  counts: Counts;
  skipped: boolean;
  failures: string[];
  skips: string[];
  times: TimedTest[];
};

const root = dirname(import.meta.dir);
/** The running Bun, because with npx `bun` may not be on the path. */
const bun = process.execPath;

/** These tests start processes and have their own timeouts. Two files run at a time, because a busy machine is slow. */
const testsOf = (path: string): string[] => [bun, 'test', '--timeout', '120000', '--parallel=2', path];

const SLOWEST = 10;

const BROWSER = 'browser';

/** Runs first, so that a missing browser fails early. */
const PROVIDE_BROWSER: Step = { name: BROWSER, command: [bun, 'scripts/chromium.ts'], inBrowser: true };
const BUILD: Step = { name: 'build', command: [bun, 'scripts/build.ts', '--if-stale'] };

const inBrowser = (name: string, folder: string): Step => ({
  name,
  command: [bun, 'scripts/e2e.ts', `${folder}/`],
  needs: ['build', BROWSER],
  tests: true,
  inBrowser: true,
});

const USUAL: Step[] = [
  PROVIDE_BROWSER,
  BUILD,
  { name: 'unit and API tests', command: [bun, 'run', 'test'], tests: true },
  { name: 'format', command: tool('biome', 'format', '.'), alongside: true },
  { name: 'lint', command: tool('oxlint', '--type-aware'), alongside: true },
  { name: 'prose', command: [bun, 'scripts/prose.ts'], alongside: true },
  { name: 'types', command: tool('tsc', ...CHECK_TYPES), alongside: true },
  { name: 'unused code', command: tool('knip'), alongside: true },
  { name: 'component tests', command: [bun, 'run', 'test:web'], tests: true },
  inBrowser('journeys', 'journeys'),
];

const REDIS = 'Redis';

const FAULT_TESTS: Step[] = [
  PROVIDE_BROWSER,
  { name: REDIS, command: [bun, 'scripts/redisProgram.ts'] },
  BUILD,
  {
    name: 'executable tests',
    command: testsOf('./test/executable'),
    needs: ['build', REDIS],
    tests: true,
  },
  {
    name: 'relay tests',
    command: testsOf('./test/liveRelays'),
    needs: [REDIS],
    tests: true,
    alongside: true,
  },
  inBrowser('browser tests', 'browser'),
];

const FLAGS = ['--drills', '--no-browser'];

/**
 * The steps for a command line.
 * @param flags `--drills` chooses the fault tests instead of the usual checks, `--no-browser` skips browser steps
 * @throws Error with a sentence for any other
 */
export function chooseSteps(flags: readonly string[]): {
  steps: readonly Step[];
  leftOut: readonly string[];
} {
  const unknown = flags.find((flag) => !FLAGS.includes(flag));
  if (unknown !== undefined)
    throw new Error(`verify takes ${FLAGS.join(' and ')} and nothing else, but "${unknown}" was given.`);
  const all = flags.includes('--drills') ? FAULT_TESTS : USUAL;
  const isLeftOut = ({ inBrowser = false }: Step): boolean => inBrowser && flags.includes('--no-browser');
  return {
    steps: all.filter((step) => !isLeftOut(step)),
    leftOut: all.filter(isLeftOut).map(({ name }) => name),
  };
}

export function countTests(text: string): Counts {
  const counts: Counts = { pass: 0, fail: 0, skip: 0 };
  for (const [, number, word] of Bun.stripANSI(text).matchAll(/^ *(\d+) (pass|fail|skip|todo)$/gm)) {
    counts[word === 'todo' ? 'skip' : (word as keyof Counts)] += Number(number);
  }
  return counts;
}

export const skipsIn = (text: string): string[] => [
  ...new Set(Bun.stripANSI(text).match(/(?<=^\(skip\) ).{1,300}$/gm)),
];

type Run = { ended: Promise<Outcome>; shown: Promise<unknown> };

/** @param before resolves when the output may be shown */
function run(step: Step, before: Promise<unknown>): Run {
  const started = performance.now();
  // With a build the product runs, so it gets its usual compiler settings.
  const engine = step.needs?.includes('build') ? SHORT_RUN : SHORT_TESTS;
  const child = Bun.spawn(step.command, {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...engine },
  });
  const exited = child.exited.then((code) => ({ code, seconds: (performance.now() - started) / 1000 }));
  let text = '';
  let shown = 0;
  let isMyTurn = false;
  const show = (): void => {
    if (isMyTurn) process.stdout.write(text.slice(shown));
    if (isMyTurn) shown = text.length;
  };
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      show();
    }
  };
  const turn = before.then(() => {
    isMyTurn = true;
    console.log(`\n── ${step.name}`);
    show();
  });
  const reading = Promise.all([read(child.stdout), read(child.stderr)]);
  const ended = reading.then(async () => outcomeOf(step, await exited, text));
  return { ended, shown: Promise.all([ended, turn]) };
}

function outcomeOf(step: Step, { code, seconds }: { code: number; seconds: number }, text: string): Outcome {
  const isDone = code === 0;
  const counts = step.tests ? countTests(text) : { pass: 0, fail: 0, skip: 0 };
  // A failed check counts as a failure, and so does a test run that stops before it counts.
  if (!isDone && counts.fail === 0) counts.fail = 1;
  const failures = isDone ? [] : failuresIn(text);
  if (!isDone && failures.length === 0) failures.push(lastOf(Bun.stripANSI(text).split('\n')));
  const times = step.tests ? timesIn(text) : [];
  const skips = step.tests ? skipsIn(text) : [];
  return { step, seconds, ok: isDone && counts.fail === 0, counts, skipped: false, failures, skips, times };
}

async function runGroup([first, ...others]: readonly Step[]): Promise<Outcome[]> {
  if (!first) return [];
  const main = run(first, Promise.resolve());
  const outcomes: Outcome[] = [];
  let { shown } = main;
  for (const step of others) {
    const next = run(step, shown);
    ({ shown } = next);
    outcomes.push(await next.ended);
  }
  await shown;
  return [await main.ended, ...outcomes];
}

/** Each step that is not alongside another, followed by those that are alongside it. */
function groupsOf(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    if (step.alongside) groups.at(-1)?.push(step);
    else groups.push([step]);
  }
  return groups;
}

function leaveOut(step: Step, lacking: string): Outcome {
  console.log(`\n── ${step.name}: skipped because ${lacking} failed.`);
  const counts = { pass: 0, fail: 0, skip: 0 };
  return { step, seconds: 0, ok: false, counts, skipped: true, failures: [], skips: [], times: [] };
}

export async function runAll(steps: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const lackingOf = ({ needs = [] }: Step): string | undefined =>
    needs.find((name) => outcomes.some(({ step, ok }) => !ok && step.name === name));
  for (const group of groupsOf(steps)) {
    const able: Step[] = [];
    for (const step of group) {
      const lacking = lackingOf(step);
      if (lacking === undefined) able.push(step);
      else outcomes.push(leaveOut(step, lacking));
    }
    outcomes.push(...(await runGroup(able)));
  }
  return outcomes;
}

async function main(flags: readonly string[]): Promise<void> {
  const { steps, leftOut } = chooseSteps(flags);
  const outcomes = await runAll(steps);

  console.log('\n── slowest');
  for (const { step, times } of outcomes) {
    if (times.length > 0) console.log([step.name, ...slowest(times, SLOWEST)].join('\n'));
  }
  await keepTimes(
    root,
    outcomes.flatMap(({ times }) => times),
  );

  // Repeated at the end, because only the last lines of a long log may be visible.
  for (const { step, failures } of outcomes) {
    for (const failure of failures) console.log(`\n── failed in ${step.name}\n${failure}`);
  }

  console.log('\n── summary');
  for (const { step, seconds, ok, counts, skipped } of outcomes) {
    const result = skipped ? 'left out' : ok ? 'ok' : 'FAILED';
    const tests = step.tests && !skipped ? `${counts.pass} passed, ${counts.fail} failed` : '';
    console.log(`${result.padEnd(8)} ${step.name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s  ${tests}`);
  }
  const sum = (key: keyof Counts): number => outcomes.reduce((total, { counts }) => total + counts[key], 0);
  const failed = outcomes.filter(({ ok }) => !ok);
  for (const { step, skips } of outcomes) {
    if (skips.length > 0) console.log([`\nSkipped: ${step.name}`, ...skips].join('\n  '));
  }
  for (const { step, failures } of failed) {
    console.log([`\nFailed: ${step.name}`, ...failures.flatMap(reasonIn)].join('\n  '));
  }
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
