import { afterAll, beforeAll, expect, test } from 'bun:test';
import { needExecutable } from '../support/executable.ts';
import { bombPdf } from '../support/pdf.ts';
import { HEADLINE, startSummaryServer, type SummaryServer } from '../support/summaryServer.ts';

await needExecutable();

const SUMMARY = 'Iron ore production rose 8 % to 64.2 million tonnes in the quarter, and guidance is kept.';

let server: SummaryServer;
beforeAll(async () => {
  server = await startSummaryServer({ BHP: null, CBA: bombPdf(250) });
  server.model.reply(SUMMARY);
});
afterAll(() => server.stop());

test('the executable reads a document itself, and saves its summary', async () => {
  const sent = await server.run('BHP');
  // Once as the headline, once as the text of the document.
  expect(sent.split(HEADLINE).length - 1).toBe(2);
  let answer = await server.summarise('BHP');
  for (let attempt = 0; attempt < 100 && !JSON.stringify(answer).includes(SUMMARY); attempt += 1) {
    await Bun.sleep(200);
    answer = await server.summarise('BHP');
  }
  expect(answer).toMatchObject({ state: 'ready', summary: SUMMARY });
});

test('a document that exhausts its reader does not affect the server', async () => {
  const statuses: number[] = [];
  let isOver = false;
  const looking = (async () => {
    for (; !isOver; await Bun.sleep(20)) statuses.push((await fetch(`${server.url}/healthz`)).status);
  })();
  const sent = await server.run('CBA');
  isOver = true;
  await looking;
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(sent).toContain('There are only headlines of this company');
});
