import { expect, test } from 'bun:test';
import { createSharedBrowser } from '../../scripts/sharedBrowser.ts';

/** Browsers that are none, named by how many were launched before. */
function stage() {
  const launched: { signalCode: NodeJS.Signals | null; closed: boolean }[] = [];
  let failing = 0;
  const browser = createSharedBrowser(async () => {
    if (failing > 0) throw new Error(`failure ${failing--}`);
    const own = { exitCode: null, signalCode: null as NodeJS.Signals | null, closed: false };
    const name = `ws://127.0.0.1/${launched.push(own)}`;
    return { wsEndpoint: () => name, process: () => own, close: async () => void (own.closed = true) };
  });
  return { browser, launched, failNext: () => void (failing = 1) };
}

test('all who ask get one browser, and a new one once it has ended', async () => {
  const { browser, launched } = stage();
  const both = (): Promise<string[]> => Promise.all([browser.address(), browser.address()]);
  expect(await both()).toEqual(['ws://127.0.0.1/1', 'ws://127.0.0.1/1']);
  const [first] = launched;
  if (first) first.signalCode = 'SIGKILL';
  expect(await both()).toEqual(['ws://127.0.0.1/2', 'ws://127.0.0.1/2']);
  await browser.close();
  expect(launched.map(({ closed }) => closed)).toEqual([false, true]);
});

test('a browser that does not start fails those who wait for it only', async () => {
  const { browser, failNext } = stage();
  failNext();
  const answers = await Promise.allSettled([browser.address(), browser.address()]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await browser.address()).toBe('ws://127.0.0.1/1');
});

test('without a browser there is nothing to close', async () => {
  const { browser, launched } = stage();
  await browser.close();
  expect(launched).toEqual([]);
});
