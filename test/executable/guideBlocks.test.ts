import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executable, freePort, needExecutable } from '../support/executable.ts';
import { type Block, fencedBlocks, guides, root } from '../support/guides.ts';

await needExecutable();

/** Commands that are skipped, by their beginning, with the reason. scripts/bootedDebian.ts runs those with `sudo`. */
const NOT_RUN: readonly [begin: string, reason: string][] = [
  ['bun run verify', 'runs this test'],
  ['bun run test', 'is a step of verify'],
  ['bun run check:quick', 'checks all types'],
  ['bun run bench', 'measures for an hour'],
  ['bun run release', 'builds for minutes'],
  ['bun scripts/release.ts', 'makes a key, and the repository has one'],
  ['npx ', 'needs the network'],
  ['docker ', 'needs Docker'],
  ['printf ', 'belongs to the lines with Docker'],
  ['rsync ', 'needs another machine'],
  ['node verify.mjs', 'needs calls: program.test.ts runs it'],
];
const reasonOf = (command: string): string | undefined =>
  NOT_RUN.find(([begin]) => command.startsWith(begin))?.[1];

const isServer = (command: string): boolean =>
  /^(?:[A-Z_\d]+=(?:'[^']*'|\S+) )*(?:\.\/bellbird|bun start|bun (?:run )?(?:dev|demo))$/.test(command);

const isSettings = (code: string): boolean =>
  code
    .split('\n')
    .every((line) => line === '' || line.startsWith('#') || /^[A-Z_\d]+=\S*(?: \w+)*$/.test(line));

/** The commands of a block, without comments. */
function commandsOf(code: string): string[] {
  const commands: string[] = [];
  let end: string | null = null;
  let isOpen = false;
  for (const line of code.split('\n')) {
    const text: string = end === null ? line.replace(/ +# .*$/, '').trimEnd() : line;
    if (isOpen) commands[commands.length - 1] += `\n${text}`;
    else if (text !== '' && !text.startsWith('#')) commands.push(text);
    end = end === text ? null : (end ?? /<<'?(\w+)'?/.exec(text)?.[1] ?? null);
    isOpen = end !== null || text.endsWith('\\');
  }
  return commands;
}

const blocks = guides
  .flatMap(fencedBlocks)
  .filter(({ language, code }) => language === 'sh' && !code.includes('sudo ') && !isSettings(code));

type Place = { cwd: string; env: Record<string, string>; replaced: readonly (readonly [string, string])[] };

/** Runs one command in a shell, in the folder where the previous one ended. */
async function run(place: Place, command: string): Promise<string> {
  const text = place.replaced.reduce((all, [from, to]) => all.replaceAll(from, to), command);
  const where = join(place.env['HOME'] ?? '', 'where');
  const child = Bun.spawn(['bash', '-e', '-c', `${text}\npwd > ${where}`], {
    cwd: place.cwd,
    env: place.env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(`${text}\nended with ${code}:\n${out}${err}`);
  place.cwd = readFileSync(where, 'utf8').trim();
  return out + err;
}

type Server = { output: string; stop(): Promise<void> };

/** Starts a server and waits until it prints its address. `stop` sends Ctrl+C to it and its children. */
async function serve(place: Place, command: string): Promise<Server> {
  const child = Bun.spawn(['bash', '-c', command], {
    cwd: place.cwd,
    env: place.env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  });
  let output = '';
  const announced = Promise.withResolvers<boolean>();
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      if (/register\?setup=|Bellbird listens on/.test(output)) announced.resolve(true);
    }
  };
  const reading = Promise.all([read(child.stdout), read(child.stderr)]);
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) process.kill(-child.pid, 'SIGINT');
    await child.exited;
    await reading;
  };
  if (await Promise.race([announced.promise, child.exited.then(() => false)])) return { output, stop };
  await reading;
  throw new Error(`${command}\nended before it served:\n${output}`);
}

/** Runs the commands of a block. @returns their output */
async function follow(place: Place, code: string): Promise<string> {
  let output = '';
  for (const command of commandsOf(code).filter((one) => reasonOf(one) === undefined)) {
    if (isServer(command)) {
      const server = await serve(place, command);
      output += server.output;
      await server.stop();
    } else output += await run(place, command);
  }
  return output;
}

let home = '';
let place: Place;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'bellbird-guides-'));
  symlinkSync(process.execPath, join(home, 'bun'));
  symlinkSync(executable, join(home, 'bellbird'));
  const port = String(await freePort());
  place = {
    cwd: home,
    env: {
      PATH: `${home}:${process.env.PATH ?? ''}`,
      HOME: home,
      BUN_INSTALL_CACHE_DIR:
        process.env['BUN_INSTALL_CACHE_DIR'] ?? join(process.env.HOME ?? '', '.bun/install/cache'),
      BELLBIRD_HOST: '127.0.0.1',
      BELLBIRD_PORT: port,
      // Git refuses to clone a repository of another user.
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
    },
    replaced: [
      ['localhost:3000', `127.0.0.1:${port}`],
      ['https://YOUR-BELLBIRD', `http://127.0.0.1:${port}`],
      ['<the repository>', root],
    ],
  };
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const nameOf = ({ page, line, code }: Block): string =>
  `${page}:${line} ${code.split('\n')[0]?.split(' #')[0]?.trim()}`;
const isRun = ({ code }: Block): boolean =>
  commandsOf(code).some((command) => reasonOf(command) === undefined);
const ofCheckout = ({ code }: Block): boolean => /^(?:bun|git) /.test(commandsOf(code)[0] ?? '');

describe('the executable', () => {
  const ofProduct = blocks.filter((block) => isRun(block) && !ofCheckout(block));
  for (const block of ofProduct) {
    test(nameOf(block), async () => {
      const before = blocks[blocks.indexOf(block) - 1];
      const asks = /localhost:3000|YOUR-BELLBIRD/.test(block.code) && !commandsOf(block.code).some(isServer);
      const command = commandsOf(before?.code ?? '').find(isServer) ?? './bellbird';
      const server = asks ? await serve(place, command) : null;
      try {
        const output = await follow(place, block.code);
        if (block.code.includes('/api/ingest/market')) expect(output).toContain('"applied":2,"rejected":[]');
      } finally {
        await server?.stop();
      }
    }, 120_000);
  }
});

const isRepository = existsSync(join(root, '.git'));
describe.skipIf(!isRepository)(
  `a clone${isRepository ? '' : ' (skipped: this folder is not a git repository)'}`,
  () => {
    const isClone = ({ code }: Block): boolean => code.startsWith('git clone');
    const ofClone = blocks.filter((block) => isRun(block) && ofCheckout(block));
    for (const block of [...ofClone.filter(isClone), ...ofClone.filter((one) => !isClone(one))]) {
      test(nameOf(block), async () => {
        const folder = join(home, 'bellbird-clone');
        if (isClone(block)) mkdirSync(folder);
        const cwd = isClone(block) ? folder : join(folder, 'bellbird');
        const output = await follow({ ...place, cwd }, block.code);
        if (block.code.startsWith('git grep'))
          expect(output).toMatch(/AllAlerts\.tsx[^]*allAlerts\.test\.tsx/);
        if (block.code.startsWith('bun test')) expect(output).toMatch(/^ 1 pass$/m);
      }, 300_000);
    }
  },
);
