import { afterAll, expect, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { startBellbird, temporaryFolder } from '../support/executable.ts';
import { axe } from '../support/browser.ts';
import { COMPLAINT, expectMoving, grid, stageBefore } from '../support/stage.ts';

// Out of the market's hours no price is called old, so it is not the hour at which the test runs.
const env = { BELLBIRD_TEST: '1', BELLBIRD_SIM_START: '10:40' };

const dataDir = await temporaryFolder();
let server = await startBellbird({ dataDir, env });
const stage = await stageBefore(server);
afterAll(async () => {
  await stage.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('prices of a server that is gone stay in sight and are marked as old, and the restarted one is found again', async () => {
  const { page } = await stage.visit('/intra-day-small', {
    // The page's clock will jump, and a worker has one of its own.
    first: async (context) => {
      await context.clock.install();
      await context.addInitScript(() => {
        Reflect.deleteProperty(window, 'SharedWorker');
        Reflect.deleteProperty(window, 'Worker');
      });
    },
  });
  const table = grid(page, 'Top Movers under $1');
  await expectMoving(table);
  await server.stop('SIGKILL');
  await page.getByText('Reconnecting…').first().waitFor();
  expect(await table.locator('tr[data-id]').count()).toBeGreaterThan(0);
  await page.clock.fastForward(125_000);
  const strip = page.locator('.stale-strip');
  await strip.getByText('Connection lost: prices frozen 2 min ago. Reconnecting…').waitFor();
  expect(await axe(page)).toEqual([]);

  server = await startBellbird({ dataDir, env, port: server.port });
  await strip.getByRole('button', { name: 'Retry' }).click();
  await strip.waitFor({ state: 'detached' });
  await page.getByText('Live', { exact: true }).first().waitFor();
  await expectMoving(table);
  expect(server.log()).not.toMatch(COMPLAINT);
});

test('a window whose shared worker lost the server finds it again, with its session', async () => {
  const { page } = await stage.visit('/intra-day-small');
  const table = grid(page, 'Top Movers under $1');
  await expectMoving(table);
  await server.stop('SIGKILL');
  await page.getByText('Reconnecting…').first().waitFor();
  server = await startBellbird({ dataDir, env, port: server.port });
  await page.getByText('Live', { exact: true }).first().waitFor();
  await expectMoving(table);
});
