import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { checkOptions } from '../../src/cli/check/index.ts';
import { findingLines, summaryLine } from '../../src/cli/check/lines.ts';
import { run } from '../../src/cli/run.ts';
import { bad, doubtful, good } from '../../src/lib/finding.ts';
import { noProgram } from '../support/noProgram.ts';
import { tempFolders } from '../support/tempFolder.ts';

const folder = tempFolders();

async function cli(args: string[], env: Record<string, string>) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(args, {
    io: {
      env,
      wall: { now: () => Date.now(), monotonic: () => performance.now() },
      about: { pid: 1, startedAt: 0, version: '1.2.3', commit: 'abcdef' },
      program: noProgram.program,
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      readSecret: async () => null,
      ask: async () => null,
    },
    openAssets: () => ({ respond: () => undefined }),
    signals: { onStop: () => {}, onCrash: () => {} },
  });
  return { code, out, err };
}

/** Counts what it is asked. */
function counter() {
  let asked = 0;
  const fetch = () => {
    asked += 1;
    return new Response('no', { status: 500 });
  };
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
  return { url: `http://127.0.0.1:${server.port}`, asked: () => asked, stop: () => server.stop(true) };
}

test('other machines are asked unless it is an update that asks, or somebody says so', async () => {
  const server = counter();
  const env = {
    BELLBIRD_DATA: join(folder(), 'none'),
    BELLBIRD_DISCORD_URL: server.url,
    BELLBIRD_DISCORD_TOKEN: 'planted.discord.token',
    // Fits below the open files of any machine.
    BELLBIRD_MAX_STREAMS: '20',
  };
  try {
    const silent = await cli(['check', '--json'], env);
    expect(silent.out.map((line) => JSON.parse(line))).toEqual([
      { version: '1.2.3', commit: 'abcdef', migrations: 0 },
    ]);
    expect([silent.code, (await cli(['check', '--offline'], env)).code, server.asked()]).toEqual([0, 0, 0]);
    const asking = await cli(['check'], env);
    expect([asking.code, server.asked()]).toEqual([1, 1]);
    expect(asking.out.join('\n')).toMatch(
      /wrong {2,}Discord {2,}Discord answered HTTP 500\.\n +→ Nothing is wrong here/,
    );
    expect(asking.out.at(-1)).toBe('1 thing is wrong.');
    const [line = ''] = (await cli(['check', '--json', '--network'], env)).out;
    expect(JSON.parse(line).findings).toContainEqual(
      expect.objectContaining({ what: 'Discord', state: 'wrong' }),
    );
  } finally {
    await server.stop();
  }
});

test('a name that is none is told with the nearest, and does not count as a fault', async () => {
  const result = await cli(['check'], {
    BELLBIRD_DATA: join(folder(), 'none'),
    BELLBIRD_DISCORD_TOKN: 'planted-secret',
  });
  expect(result.code).toBe(0);
  expect(result.out.join('\n')).toContain('Did you mean BELLBIRD_DISCORD_TOKEN?');
  expect(result.out.join('\n')).not.toContain('planted-secret');
});

test('options', () => {
  expect(checkOptions([])).toEqual({ asJson: false, network: true });
  expect(checkOptions(['--json'])).toEqual({ asJson: true, network: false });
  expect(() => checkOptions(['--offline', '--network'])).toThrow('one of');
  expect(() => checkOptions(['now'])).toThrow('"now"');
});

test('lines are aligned, coloured only where somebody looks, and can’t command a terminal', () => {
  const findings = [good('Disk', 'Fine.'), bad('Live stream', 'Bad\u001b[2J.', 'Mend it.')];
  expect(findingLines(findings, false)).toEqual([
    'ok       Disk         Fine.',
    'wrong    Live stream  Bad [2J.',
    '                      → Mend it.',
  ]);
  expect(findingLines(findings, true)[1]).toStartWith('\u001b[31mwrong');
  expect(summaryLine([...findings, doubtful('A', 'b', 'c')])).toBe('1 thing is wrong, 1 warning.');
  expect(summaryLine([])).toBe('Nothing is wrong.');
});
