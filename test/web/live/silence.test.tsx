import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { act, render, screen } from '@testing-library/react';
import { ScannerStrip } from '#web/app/ScannerStrip.tsx';
import { Shell, StaleStrip } from '#web/app/Shell.tsx';
import { createSilence } from '#web/live/silence.ts';
import { fromSnapshot } from '#web/live/stream/marketState.ts';
import { fakeTimers } from '#support/fakeEventSource.ts';
import { liveByHand } from '#support/liveByHand.ts';
import { aDelta, aSnapshot } from '#support/market.ts';

/** Sydney, daylight-saving time. */
const IN_MARKET_HOURS = Date.parse('2026-11-19T00:30:00Z');
describe('a silence', () => {
  function setUp() {
    const timers = fakeTimers();
    const silence = createSilence(timers);
    silence.received(0);
    const now = () => [silence.seconds.value, silence.isLost.value, silence.isBack.value];
    return { timers, silence, now };
  }

  test('has an age after 3 s, and is a loss from 5 s on', () => {
    const { timers, now } = setUp();
    timers.pass(3000);
    expect(now()).toEqual([null, false, false]);
    timers.pass(1);
    expect(now()).toEqual([4, false, false]);
    timers.pass(2000);
    expect(now()).toEqual([6, true, false]);
    timers.pass(34_000);
    expect(now()).toEqual([40, true, false]);
  });

  test('shows Back for 2 s after a loss; a shorter one just ends', () => {
    const { timers, silence, now } = setUp();
    timers.pass(4500);
    silence.received(0);
    expect(now()).toEqual([null, false, false]);
    timers.pass(6000);
    silence.received(0);
    expect(now()).toEqual([null, false, true]);
    timers.pass(1999);
    expect(now()).toEqual([null, false, true]);
    timers.pass(1);
    expect(now()).toEqual([null, false, false]);
  });

  test('is a loss immediately if the connection breaks, until data arrives', () => {
    const { timers, silence, now } = setUp();
    timers.pass(100);
    silence.dropped();
    expect(now()).toEqual([null, true, false]);
    silence.received(100);
    timers.pass(1);
    silence.received(50);
    expect(now()).toEqual([null, true, false]);
    silence.received(0);
    expect(now()).toEqual([null, false, true]);
    silence.dropped();
    expect(now()).toEqual([null, true, false]);
  });

  test('is not assumed after the machine slept; a connection that died then is lost 3 s later', () => {
    const { timers, now } = setUp();
    timers.sleep(3_600_000);
    expect(now()).toEqual([null, false, false]);
    timers.pass(2900);
    expect(now()).toEqual([null, false, false]);
    timers.pass(200);
    expect(now()[1]).toBe(true);
  });

  test('is not counted in a hidden window, which has 3 s when it is shown again', () => {
    const { timers, silence, now } = setUp();
    silence.setHidden(true);
    timers.pass(600_000);
    expect(timers.pending()).toBe(0);
    silence.setHidden(false);
    silence.received(600_000);
    expect(now()).toEqual([null, false, false]);
    timers.pass(2000);
    silence.received(0);
    timers.pass(3000);
    expect(now()).toEqual([null, false, false]);
  });
});

describe('the page', () => {
  let timers: ReturnType<typeof fakeTimers>;
  let live: ReturnType<typeof liveByHand>;
  const pass = (ms: number) => act(() => timers.pass(ms));
  const begin = () => {
    const state = fromSnapshot(
      aSnapshot(['BHP'], { marketTime: IN_MARKET_HOURS, clockSpeed: 1 }),
      Date.now(),
    );
    live.receive({ type: 'state', state: { ...state, changedAt: Date.now() }, connection: 'live' });
  };
  const strip = () => document.querySelector('.strip')?.className;
  const aged = () => document.querySelector('.state-stream')?.textContent;
  const arePricesMuted = () => document.documentElement.classList.contains('prices-old');
  beforeEach(() => {
    timers = fakeTimers();
    live = liveByHand(timers);
  });
  afterEach(() => live.stop());

  test('turns amber in market hours and mutes its prices after 5 s, and shows Back for 2 s', () => {
    window.location.hash = '#/calls';
    render(<Shell />);
    render(<ScannerStrip />);
    begin();
    expect([strip(), aged(), arePricesMuted()]).toEqual(['strip', 'Live', false]);
    pass(3001);
    expect([strip(), aged()]).toEqual(['strip', 'Live4 s']);
    pass(2000);
    expect(strip()).toBe('strip is-old');
    expect(aged()).toStartWith('Live6 s');
    expect(arePricesMuted()).toBe(true);
    live.receive({ type: 'heard', agoMs: 0 });
    expect([strip(), aged(), arePricesMuted()]).toEqual(['strip', 'LiveBack', false]);
    const back = document.querySelector('.state-back');
    expect([back?.getAttribute('role'), back?.textContent]).toEqual(['status', 'Back']);
    pass(2000);
    expect(aged()).toBe('Live');
  });

  test('turns amber immediately if the connection or the network breaks', () => {
    render(<ScannerStrip />);
    begin();
    live.connect('reconnecting');
    expect(strip()).toBe('strip is-old');
    expect(aged()).toStartWith('Reconnecting…');
    act(() => {
      live.receive({ type: 'connection', connection: 'live' });
      timers.pass(1);
      live.receive({ type: 'delta', delta: aDelta({}), receivedAt: 0, changedAt: 0 });
    });
    expect(strip()).toBe('strip');
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(strip()).toBe('strip is-old');
  });

  test('shows the notice above the screen if there is no summary bar', () => {
    render(<StaleStrip hasScannerStrip={false} />);
    begin();
    pass(4999);
    expect(screen.queryByRole('status') === null).toBe(true);
    pass(2);
    // A screen reader announces it once; the screen counts the seconds.
    expect(screen.getByRole('status').textContent).toBe('Connection lost. Reconnecting…');
    expect(screen.getByText(/^Connection lost: prices frozen \d+ s ago\. Reconnecting…$/)).toBeTruthy();
    live.receive({ type: 'heard', agoMs: 0 });
    expect(screen.getByRole('status').textContent).toBe('Back');
  });
});
