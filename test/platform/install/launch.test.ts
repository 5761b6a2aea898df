import { afterEach, describe, expect, test } from 'bun:test';
import { launchFixture, type LaunchFixture, RESTART } from '#support/launchFixture.ts';
import { tempFolders } from '#support/tempFolder.ts';
import { waitUntil } from '#support/waitUntil.ts';

const newFolder = tempFolders();
const fixtures: { fixture: LaunchFixture; ended: Promise<unknown>[] }[] = [];

/** A fixture whose supervisors are stopped after the test. */
async function newFixture() {
  const fixture = await launchFixture(newFolder());
  const ended: Promise<unknown>[] = [];
  fixtures.push({ fixture, ended });
  const run = (more?: Parameters<LaunchFixture['launch']>[0]): Promise<number> => {
    const code = fixture.launch(more);
    ended.push(code.catch(() => undefined));
    return code;
  };
  return { ...fixture, run };
}

afterEach(async () => {
  for (const { fixture, ended } of fixtures.splice(0)) {
    fixture.stop();
    await Promise.all(ended);
  }
});

test('a supervisor restarts a crashed server after a delay, and answers on its port until then', async () => {
  const fixture = await newFixture();
  void fixture.run();
  const first = await fixture.untilServes('old');
  process.kill(first, 'SIGKILL');
  await waitUntil('the supervisor to exit', () => fixture.messages.length > 0);
  expect(fixture.messages).toEqual(['The server was ended by SIGKILL. Restarting it in 1 s.']);
  for (const path of ['/healthz', '/api/calls/leaderboard']) {
    const held = await fetch(fixture.url + path);
    expect([held.status, held.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await held.json()).toEqual({ error: expect.stringMatching(/\.$/) });
  }
  const page = await fetch(fixture.url, { headers: { accept: 'text/html,*/*' } });
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('http-equiv="refresh"');
  await fixture.untilServes('old', first);
});

describe('a new version on trial', () => {
  test('stays if it runs well, and its server is notified', async () => {
    const fixture = await newFixture();
    fixture.update();
    void fixture.run();
    const pid = await fixture.untilServes('new');
    expect(fixture.state()).toMatchObject({ phase: 'trial', starts: 1 });
    await waitUntil('the end of the trial', () => fixture.state().phase === 'healthy');
    await waitUntil('the server to be notified', () => fixture.printed().includes('the trial is over'));
    expect(await fixture.untilServes('new')).toBe(pid);
    expect(fixture.state().steps).toMatchObject([{ name: 'Try the new version', outcome: 'done' }]);
  });

  for (const [behaviour, failure] of [
    ['no start', /ended with code 3/],
    ['dies', /was ended by SIGKILL/],
    ['sick', /answered its health check with 500/],
    ['other', /runs commit other, not new/],
    ['no stream', /answered a request for live prices with 500/],
  ] as const) {
    test(`is rolled back if it does not: ${behaviour}`, async () => {
      const fixture = await newFixture();
      const first = fixture.run();
      await fixture.untilServes('old');
      fixture.update({}, behaviour);
      await fetch(`${fixture.url}/end?code=${RESTART}`);
      await waitUntil('the roll-back', () => fixture.state().phase === 'rolledBack');
      await fixture.untilServes('old');
      const { failure: messages, logTail, steps, database } = fixture.state();
      expect(messages).toMatch(failure);
      expect(logTail).toContain('new starts with the secret [hidden]');
      expect(steps.map(({ name, outcome }) => [name, outcome])).toEqual([
        ['Try the new version', 'failed'],
        ['Roll back', 'done'],
      ]);
      expect(database).not.toBeNull();
      // The new version’s database changes are gone, with their log; the old version’s are there.
      fixture.stop();
      expect(await first).toBe(0);
      expect(fixture.runs()).toEqual(['old', 'old']);
    });
  }

  test('leaves the database unchanged if it has no migrations, so no data is lost', async () => {
    const fixture = await newFixture();
    fixture.update({ migrations: 0 }, 'dies');
    void fixture.run();
    await fixture.untilServes('old');
    expect(fixture.state()).toMatchObject({ phase: 'rolledBack', database: null });
    expect(fixture.runs()).toEqual(['new', 'old']);
  });

  test('continues its trial after a restart, which does not count after a regular stop', async () => {
    const fixture = await newFixture();
    fixture.update();
    const code = fixture.run({ trialSeconds: 60 });
    await fixture.untilServes('new');
    fixture.stop();
    expect(await code).toBe(0);
    expect(fixture.state()).toMatchObject({ phase: 'trial', starts: 0 });
    void fixture.run();
    await waitUntil('the end of the trial', () => fixture.state().phase === 'healthy');
  });

  test('belongs to the one supervisor that began it', async () => {
    const fixture = await newFixture();
    fixture.update();
    void fixture.run({ trialSeconds: 60 });
    await fixture.untilServes('new');
    const refusal = await fixture.run().catch((error: unknown) => String(error));
    expect(refusal).toContain('Another Bellbird is already running');
    expect(fixture.state()).toMatchObject({ phase: 'trial', starts: 1 });
  });
});

describe('an interrupted update', () => {
  for (const [name, more] of [
    ['in the swap', { phase: 'swapping' }],
    ['in its trial, repeatedly', { phase: 'trial', starts: 2 }],
    ['while it was rolled back', { phase: 'rollingBack', failure: 'It died.' }],
  ] as const) {
    test(`${name}, is rolled back by the next start`, async () => {
      const fixture = await newFixture();
      fixture.update(more);
      void fixture.run();
      await fixture.untilServes('old');
      expect(fixture.state().phase).toBe('rolledBack');
      expect(fixture.state().failure).toMatch(/\.$/);
    });
  }
});

test('a supervisor stopped together with the version on trial, which exits first, rolls nothing back', async () => {
  const fixture = await newFixture();
  fixture.update();
  const code = fixture.run({ trialSeconds: 60 });
  process.kill(await fixture.untilServes('new'), 'SIGTERM');
  await Bun.sleep(50);
  fixture.stop();
  expect(await code).toBe(0);
  expect(fixture.state()).toMatchObject({ phase: 'trial', starts: 0 });
});
