import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { waitFor } from '@testing-library/react';
import * as main from '../../../web/popup/popup.ts';
import type { PopupMessage } from '../../../web/popup/popupBook.ts';
import { navigate } from '../../../web/router/navigate.ts';
import { startRouter } from '../../../web/router/router.ts';

const { closePopup, focusPopup, isPopup, openPopup, poppedOut, startPopups } = main;

type Opened = {
  address: string;
  name: string;
  features: string | undefined;
  focused: number;
  closed: boolean;
};

let opened: Opened[];
let isBlocked: boolean;
let heard: PopupMessage[];
let others: BroadcastChannel;
const realOpen = window.open;

beforeEach(() => {
  opened = [];
  heard = [];
  isBlocked = false;
  others = new BroadcastChannel('bellbird-popups');
  others.onmessage = ({ data }) => heard.push(data as PopupMessage);
  window.open = ((address: string, name: string, features?: string) => {
    if (isBlocked) return null;
    const record: Opened = { address, name, features, focused: 0, closed: false };
    opened.push(record);
    return {
      get closed() {
        return record.closed;
      },
      focus: () => void (record.focused += 1),
      close: () => void (record.closed = true),
    };
  }) as unknown as typeof window.open;
});
afterEach(() => {
  for (const route of poppedOut.peek()) closePopup(route);
  others.close();
  window.open = realOpen;
});

describe('the main window', () => {
  let stop: () => void;
  beforeEach(() => {
    stop = startPopups();
  });
  afterEach(() => stop());

  test('opens a route in a window of 1400 × 900 with a name of its own, once; then it focuses it', () => {
    expect(isPopup).toBe(false);
    expect(openPopup('/pre-market')).toBe(true);
    expect(opened).toMatchObject([
      {
        address: 'http://127.0.0.1:3000/#/pre-market',
        name: 'bellbird:/pre-market',
        features: 'popup=yes,width=1400,height=900',
        focused: 1,
      },
    ]);
    expect(openPopup('/pre-market')).toBe(true);
    expect(opened).toHaveLength(1);
    expect(opened[0]?.focused).toBe(2);
    expect([...poppedOut.value]).toEqual(['/pre-market']);
  });

  test('says so when the browser blocks the window', () => {
    isBlocked = true;
    expect(openPopup('/pre-market')).toBe(false);
    expect(poppedOut.value.size).toBe(0);
  });

  test('shows the route again when its window is closed, from here or by hand', async () => {
    openPopup('/pre-market');
    closePopup('/pre-market');
    expect(opened[0]?.closed).toBe(true);
    expect(poppedOut.value.size).toBe(0);
    openPopup('/custom-scanner');
    const [, second] = opened;
    if (second) second.closed = true;
    await waitFor(() => expect(poppedOut.value.size).toBe(0), { timeout: 5000 });
  });

  test('asks at its start which windows there are, and reaches one that it did not open itself', async () => {
    await waitFor(() => expect(heard).toContainEqual({ type: 'who' }));
    others.postMessage({ type: 'here', route: '/fx-news' } satisfies PopupMessage);
    await waitFor(() => expect([...poppedOut.value]).toEqual(['/fx-news']));
    focusPopup('/fx-news');
    // The browser finds the window by its name, without loading it again.
    expect(opened).toMatchObject([{ address: '', name: 'bellbird:/fx-news', focused: 1 }]);
    await waitFor(() => expect(heard).toContainEqual({ type: 'focus', route: '/fx-news' }));
  });
});

describe('a popup', () => {
  test('tells what it shows, answers, and closes when it is told to', async () => {
    const realOpener = Object.getOwnPropertyDescriptor(window, 'opener');
    const realClose = window.close;
    let closes = 0;
    Object.defineProperty(window, 'opener', { configurable: true, value: {} });
    window.close = () => void (closes += 1);
    // A module of its own: whether a window is a popup is settled when it loads.
    const address = '../../../web/popup/popup.ts?as=popup';
    const popup = (await import(address)) as typeof main;
    window.location.hash = '#/calls';
    const stopRouter = startRouter();
    const stop = popup.startPopups();
    try {
      expect(popup.isPopup).toBe(true);
      await waitFor(() => expect(heard).toEqual([{ type: 'here', route: '/calls' }]));
      others.postMessage({ type: 'who' } satisfies PopupMessage);
      await waitFor(() => expect(heard).toHaveLength(2));
      navigate('/login');
      await waitFor(() =>
        expect(heard.slice(2)).toEqual([
          { type: 'gone', route: '/calls' },
          { type: 'here', route: '/login' },
        ]),
      );
      others.postMessage({ type: 'close', route: '/calls' } satisfies PopupMessage);
      others.postMessage({ type: 'close', route: '/login' } satisfies PopupMessage);
      await waitFor(() => expect(closes).toBe(1));
      window.dispatchEvent(new Event('pagehide'));
      await waitFor(() => expect(heard.at(-1)).toEqual({ type: 'gone', route: '/login' }));
    } finally {
      stop();
      stopRouter();
      window.close = realClose;
      if (realOpener) Object.defineProperty(window, 'opener', realOpener);
      else Reflect.deleteProperty(window, 'opener');
    }
  });
});
