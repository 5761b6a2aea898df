import { expect, test } from 'bun:test';
import { createRefresh } from '../../../../src/subjects/announcements/server/refresh.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { createHandAnnouncements } from '../../../support/handAnnouncements.ts';
import { createHandScheduler } from '../../../support/handScheduler.ts';

const ON_THE_WAY = { success: true, message: 'Updates appear within a few seconds.' } as const;

/** A refresh of a source that answers when the test says so. */
function startRefresh() {
  const hand = createHandScheduler(0);
  const pending = Promise.withResolvers<string | null>();
  const source = createHandAnnouncements({ answer: () => pending.promise });
  const log = createLog(() => undefined);
  const refresh = createRefresh({ source, stopwatch: hand, schedule: hand.schedule, log });
  return { hand, refresh, answer: pending.resolve, asked: source.asked };
}

test('a source that takes its time is not waited for, and asked no second time', async () => {
  const { hand, refresh, asked } = startRefresh();
  const answers = [refresh('BHP'), refresh('BHP')];
  hand.advance(5000);
  expect(await Promise.all(answers)).toEqual([ON_THE_WAY, ON_THE_WAY]);
  expect(asked).toEqual(['BHP']);
});

test('nothing waits any more once the source has answered, whoever asked', async () => {
  const { hand, refresh, answer } = startRefresh();
  const answers = [refresh('BHP'), refresh('BHP'), refresh('BHP')];
  answer(null);
  expect(await Promise.all(answers)).toEqual([ON_THE_WAY, ON_THE_WAY, ON_THE_WAY]);
  expect(hand.planned()).toEqual([]);
});
