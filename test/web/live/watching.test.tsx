import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, cleanup, render, screen } from '@testing-library/react';
import { startLive } from '../../../web/live/market.ts';
import { fromSnapshot } from '../../../web/live/stream/marketState.ts';
import type { FromWindow, ToWindow, Watch } from '../../../web/live/stream/protocol.ts';
import { useWatch, useWholeMarket } from '../../../web/live/useWatch.ts';
import { aDelta, aSnapshot } from '../../support/market.ts';

type Watching = Extract<FromWindow, { type: 'watch' }>;

let receive: (message: ToWindow) => void;
let said: Watching[] = [];
let stop: () => void;

beforeEach(() => {
  stop = startLive((take) => {
    receive = take;
    return (message) => {
      if (message.type === 'watch') said.push(message);
    };
  });
  said = [];
});
afterEach(() => {
  cleanup();
  stop();
});

const newest = (): Watching => {
  const last = said.at(-1);
  if (!last) throw new Error('The window has not said what it watches.');
  return last;
};
const answer = (version: number) => {
  const state = { ...fromSnapshot(aSnapshot(['BHP']), Date.now()), version };
  act(() => receive({ type: 'state', state, connection: 'live' }));
};
const settled = () => act(async () => await Promise.resolve());
const frame = () => act(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0))));

function Shows({ watch }: { watch: Partial<Watch> }) {
  return <p>{useWatch(watch) ? 'there' : 'waiting'}</p>;
}
function TakesAny() {
  return <p>{useWholeMarket() ? 'there' : 'waiting'}</p>;
}

describe('what a page watches', () => {
  test('is the union of what its parts show, said once for all that changes together', async () => {
    const page = (more: Partial<Watch>) => (
      <>
        <Shows watch={{ codes: ['CBA', 'BHP'] }} />
        <Shows watch={more} />
      </>
    );
    const { rerender, unmount } = render(page({ codes: ['BHP'], scanners: ['preMarket'] }));
    await settled();
    expect(said.map(({ watch }) => watch)).toEqual([
      { all: false, codes: ['BHP', 'CBA'], scanners: ['preMarket'] },
    ]);
    rerender(page({ scanners: ['preMarket'] }));
    await settled();
    expect(said).toHaveLength(1);
    rerender(page({ scanners: ['intraDaySmall'] }));
    await settled();
    expect(newest().watch).toEqual({ all: false, codes: ['BHP', 'CBA'], scanners: ['intraDaySmall'] });
    unmount();
    await settled();
    expect(newest().watch).toEqual({ all: false, codes: [], scanners: [] });
  });

  test('is said again to a stream that is opened anew', async () => {
    render(<Shows watch={{ codes: ['BHP'] }} />);
    await settled();
    stop();
    const again: FromWindow[] = [];
    stop = startLive(() => (message) => again.push(message));
    expect(again).toMatchObject([{ type: 'watch', watch: { codes: ['BHP'] } }]);
  });
});

test('the scanner that the page opens with is named with the first word alone', async () => {
  stop();
  stop = startLive(
    () => (message) => {
      if (message.type === 'watch') said.push(message);
    },
    undefined,
    'preMarket',
  );
  render(<Shows watch={{ scanners: ['preMarket'] }} />);
  await settled();
  expect(said.map(({ begins, watch }) => [begins, watch.scanners])).toEqual([
    ['preMarket', []],
    [undefined, ['preMarket']],
  ]);
});

describe('stocks count as there', () => {
  test('only once the watch that holds them is answered', async () => {
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
    receive({
      type: 'delta',
      delta: aDelta({ CBA: { last: 1 } }),
      receivedAt: 5,
      changedAt: 5,
      version,
    });
    expect(screen.getByText('waiting')).toBeDefined();
    await frame();
    expect(screen.getByText('there')).toBeDefined();
  });

  test('when another part watches them already', async () => {
    const page = (isMore: boolean) => (
      <>
        <Shows watch={{ codes: ['BHP'] }} />
        {isMore && <Shows watch={{ codes: ['BHP'] }} />}
      </>
    );
    const { rerender } = render(page(false));
    await settled();
    answer(newest().version);
    rerender(page(true));
    await settled();
    expect(said).toHaveLength(1);
    expect(screen.getAllByText('there')).toHaveLength(2);
  });

  test('at once when the window has every stock', () => {
    act(() =>
      receive({ type: 'state', state: fromSnapshot(aSnapshot(['BHP']), Date.now()), connection: 'live' }),
    );
    render(<Shows watch={{ scanners: ['preMarket'] }} />);
    expect(screen.getByText('there')).toBeDefined();
  });

  test('for what takes any symbol also while nothing is known of the market, and from then on', async () => {
    render(<TakesAny />);
    expect(screen.getByText('there')).toBeDefined();
    await settled();
    answer(newest().version - 1);
    expect(screen.getByText('there')).toBeDefined();
  });
});
