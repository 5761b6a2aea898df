import { beforeEach, describe, expect, test } from 'bun:test';
import { LinkBook } from '#web/windows/linkBook.ts';
import {
  type LinkChoice,
  type LinkMessage,
  readCode,
  readLinkChoice,
  readLinkMessage,
} from '#web/windows/linkGroups.ts';
import { createPopupBook, type PopupMessage } from '#web/windows/popup.ts';

type Opened = { book: LinkBook; taken: string[]; fronts: number; close(): void };

/** Windows of one browser: all hear what one says, as over a BroadcastChannel. */
let windows: Set<{ hear(message: LinkMessage): void }>;
let sent: LinkMessage[];
beforeEach(() => {
  windows = new Set();
  sent = [];
});

function openWindow(group: LinkChoice, window = ''): Opened {
  const own = { hear: (message: LinkMessage) => book.hear(message) };
  const book = new LinkBook({
    group,
    window,
    send: (message) => {
      sent.push(message);
      // As it arrives in another window: parsing returns what was sent.
      const received = readLinkMessage(structuredClone(message));
      if (received === null) throw new Error('A window sent an unreadable message.');
      for (const other of [...windows]) if (other !== own) other.hear(received);
    },
  });
  windows.add(own);
  return { book, taken: [], fronts: 0, close: () => windows.delete(own) };
}

function openChart(group: LinkChoice, { window = 'chart', hasStock = true } = {}): Opened {
  const opened = openWindow(group, window);
  opened.book.follow(
    {
      take: (code) => opened.taken.push(code),
      front: () => {
        opened.fronts += 1;
      },
    },
    hasStock,
  );
  return opened;
}

describe('a chart', () => {
  test('shows the choice of its group, and nothing from another or no group', () => {
    const gold = openWindow('gold');
    const blue = openWindow('blue');
    const none = openWindow('none');
    const chart = openChart('gold');
    gold.book.choose('BHP');
    blue.book.choose('CBA');
    none.book.choose('WES');
    gold.book.choose('RIO');
    expect(chart.taken).toEqual(['BHP', 'RIO']);
  });

  test('takes a stock that is chosen again while it shows another', () => {
    const main = openWindow('gold');
    main.book.choose('BHP');
    const chart = openChart('gold');
    main.book.choose('BHP');
    expect(chart.taken).toEqual(['BHP']);
  });

  test('that leads updates the others in its group', () => {
    const [one, other] = [openChart('gold'), openChart('gold')];
    one.book.choose('BHP');
    expect([one.taken, other.taken]).toEqual([[], ['BHP']]);
  });

  test('asks for the last choice if it opens without a stock or joins a group', () => {
    const main = openWindow('gold');
    const blue = openWindow('blue');
    main.book.choose('BHP');
    blue.book.choose('CBA');
    const chart = openChart('gold', { hasStock: false });
    expect(chart.taken.at(-1)).toBe('BHP');
    chart.book.join('blue');
    expect(chart.taken.at(-1)).toBe('CBA');
    chart.book.join('none');
    expect(chart.taken.at(-1)).toBe('CBA');
    chart.book.join('gold');
    expect(chart.taken.at(-1)).toBe('BHP');
  });
});

describe('a requested chart', () => {
  const ask = (from: Opened) => {
    const shown: string[] = [];
    const asking = from.book.show('BHP', 'request', (window) => shown.push(window));
    return { shown, asking };
  };

  test('comes to the front with the stock, and answers with its name; other groups stay', () => {
    const main = openWindow('gold');
    const [chart, other] = [openChart('gold', { window: 'one' }), openChart('blue', { window: 'two' })];
    expect(ask(main).shown).toEqual(['one']);
    expect([chart.taken, chart.fronts]).toEqual([['BHP'], 1]);
    expect([other.taken, other.fronts]).toEqual([[], 0]);
  });

  test('that was still loading answers when asked again', () => {
    const main = openWindow('gold');
    const { shown, asking } = ask(main);
    const chart = openChart('gold', { window: 'slow' });
    asking?.again();
    expect([shown, chart.taken]).toEqual([['slow'], ['BHP']]);
  });

  test('is not asked again once another stock was chosen', () => {
    const main = openWindow('gold');
    const { asking } = ask(main);
    main.book.choose('CBA');
    const chart = openChart('gold');
    asking?.again();
    expect([chart.taken, chart.fronts]).toEqual([[], 0]);
  });
});

describe('a message from another window', () => {
  test.each([
    null,
    'choose',
    {},
    { type: 'choose', group: 'gold' },
    { type: 'choose', group: 'green', code: 'BHP' },
    { type: 'choose', group: 'gold', code: 'not a code' },
    { type: 'choose', group: 'gold', code: 'A'.repeat(13) },
    { type: 'show', group: 'gold', code: 'BHP' },
    { type: 'shown', request: 'a' },
    { type: 'explode', group: 'gold', code: 'BHP' },
  ])('is ignored if it is %j', (data) => expect(readLinkMessage(data)).toBeNull());

  test('is read with a normalised code', () => {
    expect(readLinkMessage({ type: 'choose', group: 'teal', code: ' bhp ', more: 1 })).toEqual({
      type: 'choose',
      group: 'teal',
      code: 'BHP',
    });
    expect(readCode('<b>')).toBeNull();
    expect(['none', 'gold', 'red', null].map(readLinkChoice)).toEqual(['none', 'gold', null, null]);
  });
});

describe('popups', () => {
  function setUp() {
    const sent: PopupMessage[] = [];
    let open: string[] = [];
    const book = createPopupBook(
      (message) => sent.push(message),
      (routes) => {
        open = [...routes];
      },
    );
    return { book, sent, open: () => open };
  }
  const handle = () => ({ closed: false, focus: () => {}, close: () => {} });

  describe('popups that this window opened', () => {
    test('are known from the start and until their window is closed', () => {
      const { book, open, sent } = setUp();
      const popup = handle();
      book.opened('/pre-market', popup);
      expect(open()).toEqual(['/pre-market']);
      expect(book.handle('/pre-market')).toBe(popup);
      book.poll();
      expect(open()).toEqual(['/pre-market']);
      popup.closed = true;
      book.poll();
      expect(open()).toEqual([]);
      expect(sent).toEqual([]);
    });
    test('survive a reload of the popup', () => {
      const { book, open } = setUp();
      book.opened('/pre-market', handle());
      book.hear({ type: 'gone', route: '/pre-market' });
      book.hear({ type: 'here', route: '/pre-market' });
      book.poll();
      expect(open()).toEqual(['/pre-market']);
    });
  });

  describe('popups from before a reload, or of another window', () => {
    test('are known from their messages, as long as they answer', () => {
      const { book, open, sent } = setUp();
      book.hear({ type: 'here', route: '/custom-scanner' });
      expect(open()).toEqual(['/custom-scanner']);
      for (let poll = 0; poll < 10; poll += 1) {
        book.poll();
        book.hear({ type: 'here', route: '/custom-scanner' });
      }
      expect(open()).toEqual(['/custom-scanner']);
      expect(sent).toContainEqual({ type: 'who' });
    });
    test('are forgotten if they say so, or stop answering', () => {
      const { book, open } = setUp();
      book.hear({ type: 'here', route: '/custom-scanner' });
      book.hear({ type: 'gone', route: '/custom-scanner' });
      expect(open()).toEqual([]);
      book.hear({ type: 'here', route: '/custom-scanner' });
      for (let poll = 0; poll < 5; poll += 1) book.poll();
      expect(open()).toEqual([]);
    });
  });
});
