import { afterAll, test } from 'bun:test';
import { rm } from 'node:fs/promises';
import { startBellbird, temporaryFolder } from '../support/executable.ts';
import { expectMoving, grid, fixtureBefore, until } from '../support/fixture.ts';

// Outside market hours no price is stale, so the result does not depend on the time of the run.
const env = { BELLBIRD_TEST: '1', BELLBIRD_SIM_START: '10:40' };

const dataDir = await temporaryFolder();
let server = await startBellbird({ dataDir, env });
const fixture = await fixtureBefore(server);
afterAll(async () => {
  await fixture.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('a window whose shared worker lost the server reconnects, with its session', async () => {
  const { page } = await fixture.visit('/intra-day-small');
  const table = grid(page, 'Top Movers under $1');
  const colour = () =>
    table
      .locator('.trend')
      .first()
      .evaluate((cell) => getComputedStyle(cell).color);
  await expectMoving(table);
  const coloured = await colour();
  await server.stop('SIGKILL');
  await page.getByText('Reconnecting…').first().waitFor();
  await until('its prices are grey', async () => (await colour()) !== coloured);
  server = await startBellbird({ dataDir, env, port: server.port });
  await page.getByText('Live', { exact: true }).first().waitFor();
  await until('its prices have their colour', async () => (await colour()) === coloured);
  await expectMoving(table);
});
