import { expect, test } from 'bun:test';
import { createLog } from '../../../src/lib/log.ts';
import { PlatformHealth } from '../../../src/platform/outbox/health.ts';
import { createHandScheduler } from '../../support/handScheduler.ts';
import { settle } from '../../support/outboxStage.ts';

/** A platform that answers every check well, and when it was checked and could be used again, in ms. */
function watchedHealth() {
  const time = createHandScheduler(0);
  const begun = time.monotonic();
  const checked: number[] = [];
  const usable: number[] = [];
  const health = new PlatformHealth({
    name: 'Telegram',
    sender: {
      platform: 'telegram',
      limits: { perSecond: 25, chatGapMs: 1000, chatPerMinute: () => null, namesScope: false },
      remembersNonceMs: 0,
      send: async () => ({ kind: 'unknown', reason: 'is not sent to here' }),
      check: async () => {
        checked.push(time.monotonic() - begun);
        return { kind: 'up' };
      },
    },
    clock: time,
    schedule: time.schedule,
    random: () => 0.5,
    log: createLog(() => {}),
    onUsable: () => void usable.push(time.monotonic() - begun),
  });
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      time.advance(1000);
      await settle();
    }
  };
  return { health, checked, usable, pass };
}

test('a platform that asked to wait is left alone until then, whatever fails meanwhile', async () => {
  const { health, checked, usable, pass } = watchedHealth();
  health.limit(60_000);
  health.trouble('broke the connection');
  await pass(59);
  expect(checked).toEqual([]);
  await pass(2);
  expect(usable).toEqual([60_000]);
  expect(health.state()).toEqual({ kind: 'up' });
});

test('one that asks to wait while it is tried out is not used before that is over', async () => {
  const { health, checked, usable, pass } = watchedHealth();
  health.trouble('broke the connection');
  health.limit(60_000);
  await pass(59);
  expect(checked).toHaveLength(1);
  expect(health.mayBeUsed()).toBe(false);
  await pass(2);
  expect(usable).toEqual([60_000]);
});
