import { afterEach, describe, expect, test } from 'bun:test';
import { type CalendarStage, createCalendarStage } from '../../../support/calendarStage.ts';
import type { FxItem } from '../../../support/fakeFxStreet.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 7, 25, 0, 10, 0);

const items: FxItem[] = Array.from({ length: 40 }, (_, at) => ({
  ...{ id: `e${at}`, dateUtc: new Date(NOW + (at - 19.5) * HOUR).toISOString(), name: `Event ${at}` },
}));

let stage: CalendarStage;
afterEach(() => stage.stop());

describe('what goes wrong', () => {
  test.each([
    ['HTML', { kind: 'html' }, 'sent something else than a list of events'],
    ['half an answer', { kind: 'garbage', body: '[{"id":' }, 'sent something else than a list of events'],
    ['an envelope', { kind: 'otherShape' }, 'sent something else than a list of events'],
    ['other members', { kind: 'otherNames' }, 'sent 40 of 40 events in an unknown shape'],
    ['no events', { kind: 'empty' }, 'sent a calendar without any event'],
    ['401', { kind: 'status', status: 401 }, 'refuses the request (HTTP 401)'],
    ['404', { kind: 'status', status: 404 }, 'answered HTTP 404'],
    ['429', { kind: 'status', status: 429 }, 'asks to slow down (HTTP 429)'],
  ] as const)('%s is said in a sentence, and the old stays', async (_, fault, reason) => {
    stage = createCalendarStage({ now: NOW, items });
    await stage.start();
    stage.fake.setFault(fault);
    await stage.pass(HOUR + SECOND);
    const { healthy, problem, lastSuccess } = stage.source.health();
    expect([healthy, lastSuccess]).toEqual([false, NOW]);
    expect(problem).toStartWith(`FXStreet ${reason}`);
    expect(problem).toContain('The last good answer is 60 minutes old; events stay as they were.');
    expect(stage.sink.events.size).toBe(40);
    stage.fake.setFault({ kind: 'none' });
    await stage.pass(MINUTE);
    expect(stage.source.health()).toMatchObject({ healthy: true, problem: null });
  });

  test('a server that never answers', async () => {
    stage = createCalendarStage({ now: NOW });
    stage.fake.setFault({ kind: 'hang' });
    stage.fake.setWeekFault({ kind: 'status', status: 500 });
    await stage.source.start(stage.sink);
    while (stage.fake.requests.length === 0) await Bun.sleep(1);
    stage.hand.advance(15 * SECOND);
    while (stage.source.details().nextAttempt === null) await Bun.sleep(1);
    expect(stage.source.health().problem).toStartWith('FXStreet did not answer within 15 seconds.');
  });

  test('an answer with less than half of what is known takes nothing away, until it lasts', async () => {
    stage = createCalendarStage({ now: NOW, items });
    await stage.start();
    stage.fake.setFault({ kind: 'sparse', every: 4 });
    await stage.pass(HOUR + SECOND);
    expect(stage.sink.events.size).toBe(40);
    expect(stage.source.health().problem).toBe(
      'FXStreet sent only 10 events where 40 are known. The others stay.',
    );
    await stage.pass(4 * HOUR);
    expect(stage.sink.events.size).toBe(10);
    expect(stage.source.health().healthy).toBe(true);
  });

  test('nothing is told after the stop', async () => {
    stage = createCalendarStage({ now: NOW, items });
    stage.fake.setFault({ kind: 'hang' });
    await stage.source.start(stage.sink);
    while (stage.fake.requests.length === 0) await Bun.sleep(1);
    const stopped = stage.source.stop();
    stage.fake.setFault({ kind: 'none' });
    await stopped;
    expect(stage.sink.events.size).toBe(0);
    expect(stage.hand.planned()).toEqual([]);
  });

  test('a clock that is set far forward has the window of its new time asked for at the next poll', async () => {
    stage = createCalendarStage({ now: NOW, items });
    await stage.start();
    stage.hand.stepWall(72 * HOUR);
    stage.fake.put({ id: 'later', dateUtc: new Date(NOW + 80 * HOUR).toISOString(), name: 'Later' });
    await stage.pass(HOUR);
    expect([...stage.sink.events.keys()]).toContain('later');
  });
});
