import { describe, expect, test } from 'bun:test';
import { createPopupBook, type PopupMessage } from '../../../web/popup/popupBook.ts';

function setUp() {
  const said: PopupMessage[] = [];
  let open: string[] = [];
  const book = createPopupBook(
    (message) => said.push(message),
    (routes) => {
      open = [...routes];
    },
  );
  return { book, said, open: () => open };
}
const handle = () => ({ closed: false, focus: () => {}, close: () => {} });

describe('popups that this window opened', () => {
  test('are known from the start and until their window is closed', () => {
    const { book, open, said } = setUp();
    const popup = handle();
    book.opened('/pre-market', popup);
    expect(open()).toEqual(['/pre-market']);
    expect(book.handle('/pre-market')).toBe(popup);
    book.poll();
    expect(open()).toEqual(['/pre-market']);
    popup.closed = true;
    book.poll();
    expect(open()).toEqual([]);
    expect(said).toEqual([]);
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
  test('are known by what they say, as long as they answer', () => {
    const { book, open, said } = setUp();
    book.hear({ type: 'here', route: '/custom-scanner' });
    expect(open()).toEqual(['/custom-scanner']);
    for (let poll = 0; poll < 10; poll += 1) {
      book.poll();
      book.hear({ type: 'here', route: '/custom-scanner' });
    }
    expect(open()).toEqual(['/custom-scanner']);
    expect(said).toContainEqual({ type: 'who' });
  });
  test('are forgotten when they say so, or stop answering', () => {
    const { book, open } = setUp();
    book.hear({ type: 'here', route: '/custom-scanner' });
    book.hear({ type: 'gone', route: '/custom-scanner' });
    expect(open()).toEqual([]);
    book.hear({ type: 'here', route: '/custom-scanner' });
    for (let poll = 0; poll < 5; poll += 1) book.poll();
    expect(open()).toEqual([]);
  });
  test('what one main window asks of popups does not concern another', () => {
    const { book, open } = setUp();
    book.hear({ type: 'who' });
    book.hear({ type: 'focus', route: '/pre-market' });
    book.hear({ type: 'close', route: '/pre-market' });
    expect(open()).toEqual([]);
  });
});
