import { afterEach, describe, expect, test } from 'bun:test';
import { launchStage, type LaunchStage, RESTART } from '#support/launchStage.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { waitUntil } from '#support/waitUntil.ts';

const newFolder = tempFolders();
const stages: { stage: LaunchStage; ended: Promise<unknown>[] }[] = [];

/** A fixture whose supervisors are stopped after the test. */
async function newStage() {
  const stage = await launchStage(newFolder());
  const ended: Promise<unknown>[] = [];
  stages.push({ stage, ended });
  const run = (more?: Parameters<LaunchStage['launch']>[0]): Promise<number> => {
    const code = stage.launch(more);
    ended.push(code.catch(() => undefined));
    return code;
  };
  return { ...stage, run };
}

afterEach(async () => {
  for (const { stage, ended } of stages.splice(0)) {
    stage.stop();
    await Promise.all(ended);
  }
});

test('a supervisor restarts a crashed server after a delay, and meanwhile answers on its port', async () => {
  const stage = await newStage();
  void stage.run();
  const first = await stage.untilServes('old');
  process.kill(first, 'SIGKILL');
  await waitUntil('the supervisor to exit', () => stage.said.length > 0);
  expect(stage.said).toEqual(['The server was ended by SIGKILL. Restarting it in 1 s.']);
  for (const path of ['/healthz', '/api/calls/leaderboard']) {
    const held = await fetch(stage.url + path);
    expect([held.status, held.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await held.json()).toEqual({ error: expect.stringMatching(/\.$/) });
  }
  const page = await fetch(stage.url, { headers: { accept: 'text/html,*/*' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('http-equiv="refresh"');
  await stage.untilServes('old', first);
});

describe('a new version on trial', () => {
  test('stays if it runs well, and its server is notified', async () => {
    const stage = await newStage();
    stage.update();
    void stage.run();
    const pid = await stage.untilServes('new');
    expect(stage.state()).toMatchObject({ phase: 'trial', starts: 1 });
    await waitUntil('the end of the trial', () => stage.state().phase === 'healthy');
    await waitUntil('the server to be notified', () => stage.printed().includes('the trial is over'));
    expect(await stage.untilServes('new')).toBe(pid);
    expect(stage.state().steps).toMatchObject([{ name: 'Try the new version', outcome: 'done' }]);
  });

  for (const [behaviour, failure] of [
    ['no start', /ended with code 3/],
    ['dies', /was ended by SIGKILL/],
    ['sick', /answered its health check with 500/],
    ['other', /runs commit other, not new/],
    ['no stream', /answered a request for live prices with 500/],
  ] as const) {
    test(`is rolled back if it does not: ${behaviour}`, async () => {
      const stage = await newStage();
      const first = stage.run();
      await stage.untilServes('old');
      stage.update({}, behaviour);
      await fetch(`${stage.url}/end?code=${RESTART}`);
      await waitUntil('the roll-back', () => stage.state().phase === 'rolledBack');
      await stage.untilServes('old');
      const { failure: said, logTail, steps, database } = stage.state();
      expect(said).toMatch(failure);
      expect(logTail).toContain('new starts with the secret [hidden]');
      expect(steps.map(({ name, outcome }) => [name, outcome])).toEqual([
        ['Try the new version', 'failed'],
        ['Roll back', 'done'],
      ]);
      expect(database).not.toBeNull();
      // The new version’s database changes are gone, with their log; the old version’s are there.
      stage.stop();
      expect(await first).toBe(0);
      expect(stage.runs()).toEqual(['old', 'old']);
    });
  }

  test('leaves the database unchanged if it has no migrations, so no data is lost', async () => {
    const stage = await newStage();
    stage.update({ migrations: 0 }, 'dies');
    void stage.run();
    await stage.untilServes('old');
    expect(stage.state()).toMatchObject({ phase: 'rolledBack', database: null });
    expect(stage.runs()).toEqual(['new', 'old']);
  });

  test('continues its trial after a restart, which does not count if it was told to stop', async () => {
    const stage = await newStage();
    stage.update();
    const code = stage.run({ trialSeconds: 60 });
    await stage.untilServes('new');
    stage.stop();
    expect(await code).toBe(0);
    expect(stage.state()).toMatchObject({ phase: 'trial', starts: 0 });
    void stage.run();
    await waitUntil('the end of the trial', () => stage.state().phase === 'healthy');
  });

  test('belongs to the one supervisor that began it', async () => {
    const stage = await newStage();
    stage.update();
    void stage.run({ trialSeconds: 60 });
    await stage.untilServes('new');
    const refusal = await stage.run().catch((error: unknown) => String(error));
    expect(refusal).toContain('Another Bellbird is already running');
    expect(stage.state()).toMatchObject({ phase: 'trial', starts: 1 });
  });
});

describe('an interrupted update', () => {
  for (const [name, more] of [
    ['in the swap', { phase: 'swapping' }],
    ['in its trial, repeatedly', { phase: 'trial', starts: 2 }],
    ['while it was rolled back', { phase: 'rollingBack', failure: 'It died.' }],
  ] as const) {
    test(`${name}, is rolled back by the next start`, async () => {
      const stage = await newStage();
      stage.update(more);
      void stage.run();
      await stage.untilServes('old');
      expect(stage.state().phase).toBe('rolledBack');
      expect(stage.state().failure).toMatch(/\.$/);
    });
  }
});

test('a supervisor stopped together with the version on trial, which exits first, rolls nothing back', async () => {
  const stage = await newStage();
  stage.update();
  const code = stage.run({ trialSeconds: 60 });
  process.kill(await stage.untilServes('new'), 'SIGTERM');
  await Bun.sleep(50);
  stage.stop();
  expect(await code).toBe(0);
  expect(stage.state()).toMatchObject({ phase: 'trial', starts: 0 });
});
