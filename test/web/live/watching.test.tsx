import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen } from '@testing-library/react';
import { onNewEpoch } from '#web/live/marketEpoch.ts';
import { fromSnapshot } from '#web/live/stream/marketState.ts';
import type { FromWindow, Watch } from '#web/live/stream/protocol.ts';
import { useWatch, useWholeMarket } from '#web/live/useWatch.tsx';
import { liveByHand } from '#support/liveByHand.ts';
import { aDelta, aMeta, aSnapshot } from '#support/market.ts';

type Watching = Extract<FromWindow, { type: 'watch' }>;

let live: ReturnType<typeof liveByHand>;
beforeEach(() => {
  live = liveByHand();
  // Its first watch, which is empty.
  live.sent.length = 0;
});
afterEach(() => live.stop());

const sent = (): Watching[] => live.sent.filter((message) => message.type === 'watch');
const newest = (): Watching => {
  const last = sent().at(-1);
  if (!last) throw new Error('The window has not sent its watch.');
  return last;
};
const answer = (version: number) => {
  const state = { ...fromSnapshot(aSnapshot(['BHP']), Date.now()), version };
  live.receive({ type: 'state', state, connection: 'live' });
};
const settled = () => act(async () => await Promise.resolve());
const frame = () => act(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));

function Shows({ watch }: { watch: Partial<Watch> }) {
  return <p>{useWatch(watch) ? 'there' : 'waiting'}</p>;
}
function TakesAny() {
  return <p>{useWholeMarket() ? 'there' : 'waiting'}</p>;
}

test('a page’s watch is the union of its parts, sent once per batch of changes', async () => {
  const page = (more: Partial<Watch>) => (
    <>
      <Shows watch={{ codes: ['CBA', 'BHP'] }} />
      <Shows watch={more} />
    </>
  );
  const { rerender, unmount } = render(page({ codes: ['BHP'], scanners: ['preMarket'] }));
  await settled();
  expect(sent().map(({ watch }) => watch)).toEqual([
    { all: false, codes: ['BHP', 'CBA'], scanners: ['preMarket'] },
  ]);
  rerender(page({ scanners: ['preMarket'] }));
  await settled();
  expect(sent()).toHaveLength(1);
  rerender(page({ scanners: ['intraDaySmall'] }));
  await settled();
  expect(newest().watch).toEqual({ all: false, codes: ['BHP', 'CBA'], scanners: ['intraDaySmall'] });
  unmount();
  await settled();
  expect(newest().watch).toEqual({ all: false, codes: [], scanners: [] });
});

describe('stocks count as loaded', () => {
  test('only once the watch that contains them is answered', async () => {
    const { rerender } = render(<Shows watch={{ codes: ['BHP'] }} />);
    await settled();
    answer(newest().version - 1);
    expect(screen.getByText('waiting')).toBeDefined();
    answer(newest().version);
    expect(screen.getByText('there')).toBeDefined();
    rerender(<Shows watch={{ codes: ['CBA'] }} />);
    expect(screen.getByText('waiting')).toBeDefined();
    await settled();
    const { version } = newest();
    const delta = aDelta({ CBA: { last: 1 } });
    live.receive({ type: 'delta', delta, receivedAt: 5, changedAt: 5 });
    await frame();
    live.receive({ type: 'delta', delta, receivedAt: 5, changedAt: 5, version });
    expect(screen.getByText('waiting')).toBeDefined();
    await frame();
    expect(screen.getByText('there')).toBeDefined();
  });

  test('immediately for a part that accepts any symbol before a market is known, and later', async () => {
    render(<TakesAny />);
    expect(screen.getByText('there')).toBeDefined();
    await settled();
    answer(newest().version - 1);
    expect(screen.getByText('there')).toBeDefined();
  });
});

test('an epoch ends only with the source, the session and each jump', () => {
  const { feed } = aMeta();
  const replay = { from: 1, until: 2, isPaused: false, speed: 1, hasEnded: false, isCutOff: false };
  let count = 0;
  const unfollow = onNewEpoch(() => {
    count += 1;
  });
  const after = (name: string, dateToday: string, jumps: number) => {
    live.show([], { dateToday, feed: { ...feed, name }, replay: { ...replay, isOpenToAll: false, jumps } });
    return count;
  };
  expect([
    after('replay-a', '2026-01-19', 0),
    after('replay-a', '2026-01-19', 0),
    after('replay-a', '2026-01-19', 1),
    after('replay-a', '2026-01-20', 1),
    after('replay-b', '2026-01-20', 1),
    after('replay-b', '2026-01-20', 1),
  ]).toEqual([0, 0, 1, 2, 3, 3]);
  unfollow();
  expect(after('replay-b', '2026-01-20', 2)).toBe(3);
});
