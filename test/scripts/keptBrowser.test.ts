import { expect, test } from 'bun:test';
import { createKept } from '../support/keptBrowser.ts';

/** Browsers that are none, named by how many were launched before. */
function stage() {
  const launched: { name: number; isOpen: boolean; isConnected(): boolean }[] = [];
  let failing = 0;
  const get = createKept(async () => {
    if (failing > 0) throw new Error(`failure ${failing--}`);
    const own = { name: launched.length + 1, isOpen: true, isConnected: () => own.isOpen };
    launched.push(own);
    return own;
  });
  const both = async () => (await Promise.all([get(), get()])).map(({ name }) => name);
  return { get, both, launched, failNext: () => void (failing = 1) };
}

test('all who ask get one browser, and a new one once it has ended', async () => {
  const { both, launched } = stage();
  expect(await both()).toEqual([1, 1]);
  const [first] = launched;
  if (first) first.isOpen = false;
  expect(await both()).toEqual([2, 2]);
});

test('a browser that does not start fails those who wait for it only', async () => {
  const { get, both, failNext } = stage();
  failNext();
  const waiting = await Promise.allSettled([get(), get()]);
  expect(waiting.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await both()).toEqual([1, 1]);
});
