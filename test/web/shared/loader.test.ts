import { expect, test } from 'bun:test';
import { Loader } from '#web/shared/loader.ts';

/** A loader with manual answers, in the order of the requests. */
function byHand() {
  const asked: ((answer: string) => void)[] = [];
  const loader = new Loader<string>(
    (signal) =>
      new Promise((resolve, reject) => {
        asked.push(resolve);
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    'It could not be loaded.',
  );
  return { loader, asked };
}

test('waiting for a load returns the result of a later one, not the earlier data', async () => {
  const { loader, asked } = byHand();
  const first = loader.load().then(() => loader.data.peek());
  void loader.load();
  // The aborted request has ended here.
  await Bun.sleep(0);
  asked[1]?.('new');
  expect(await first).toBe('new');
});

test('waiting for a stopped load does not hang', async () => {
  const { loader } = byHand();
  const load = loader.load();
  loader.stop();
  await load;
  expect(loader.data.peek()).toBeNull();
});
