import { expect, test } from 'bun:test';
import { Loader } from '#web/shared/loader.ts';

/** A loader whose answers are given by hand, in the order in which they were asked for. */
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

test('who waits for a load has what a later one brought, not what was there before', async () => {
  const { loader, asked } = byHand();
  const first = loader.load().then(() => loader.data.peek());
  void loader.load();
  // What was aborted has ended by then.
  await Bun.sleep(0);
  asked[1]?.('new');
  expect(await first).toBe('new');
});

test('nobody waits for a load that was stopped', async () => {
  const { loader } = byHand();
  const load = loader.load();
  loader.stop();
  await load;
  expect(loader.data.peek()).toBeNull();
});
