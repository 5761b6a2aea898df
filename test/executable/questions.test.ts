import { afterAll, beforeAll, expect, test } from 'bun:test';
import { needExecutable } from '../support/executable.ts';
import { toolReply } from '../support/fakeModel.ts';
import { MODEL_KEY, startSummaryServer, type SummaryServer } from '../support/summaryServer.ts';

await needExecutable();

let server: SummaryServer;
beforeAll(async () => {
  server = await startSummaryServer({ BHP: null });
});
afterAll(() => server.stop());

test('the model answers with tools, and what it did is told', async () => {
  server.model.say(toolReply('quote', { symbol: 'BHP' }), toolReply('secrets'), 'BHP was at $10.');
  expect(await server.ask('What is BHP worth?')).toMatchObject({
    response: 'BHP was at $10.',
    meta: {
      tools: [
        { name: 'quote', arguments: { symbol: 'BHP' }, ok: true },
        { name: 'secrets', ok: false },
      ],
      level: 4,
    },
  });
  expect(server.model.requests.at(-1)?.messages.at(3)?.content).toContain('"last":10');
  expect(server.log()).not.toContain(MODEL_KEY);
});

test('a model that breaks off is a sentence', async () => {
  server.model.say({ kind: 'cut', text: 'BHP was' });
  expect(await server.ask('What is BHP worth?')).toEqual({
    error: 'The model server broke the connection before its answer was whole. Try again later.',
  });
});
