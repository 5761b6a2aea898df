import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { createGlances } from '../../../src/subjects/glance/rules/glances.ts';
import { effect } from '@preact/signals-react';
import { act, cleanup, render, screen } from '@testing-library/react';
import { ScannerStrip } from '../../../web/app/ScannerStrip.tsx';
import { Shell } from '../../../web/app/Shell.tsx';
import { StaleStrip } from '../../../web/app/StaleStrip.tsx';
import { startLive } from '../../../web/live/market.ts';
import { createSilence } from '../../../web/live/silence.ts';
import { fromSnapshot } from '../../../web/live/stream/marketState.ts';
import type { ToWindow } from '../../../web/live/stream/protocol.ts';
import { SharedStream } from '../../../web/live/stream/sharedStream.ts';
import { fakeSources, fakeTimers } from '../../support/fakeEventSource.ts';
import { aDelta, aSnapshot } from '../../support/market.ts';

/** Sydney, daylight-saving time. */
const IN_MARKET_HOURS = Date.parse('2026-11-19T00:30:00Z');
const AT_NIGHT = Date.parse('2026-11-19T12:30:00Z');

describe('a silence', () => {
  function setUp() {
    const timers = fakeTimers();
    const silence = createSilence(timers);
    let writes = -3;
    for (const one of [silence.seconds, silence.isLost, silence.isBack]) {
      effect(() => void (one.value, (writes += 1)));
    }
    const now = () => [silence.seconds.value, silence.isLost.value, silence.isBack.value];
    return { timers, silence, now, writes: () => writes };
  }

  test('of a healthy stream changes nothing, however long it runs', () => {
    const { timers, silence, writes } = setUp();
    for (let times = 0; times < 100; times += 1) {
      silence.heard(0);
      timers.pass(2000);
    }
    expect(writes()).toBe(0);
    expect(timers.pending()).toBe(1);
  });

  test('has an age once it passes 3 s, and is a loss from 5 s on', () => {
    const { timers, silence, now } = setUp();
    silence.heard(0);
    timers.pass(3000);
    expect(now()).toEqual([null, false, false]);
    timers.pass(1);
    expect(now()).toEqual([4, false, false]);
    timers.pass(2000);
    expect(now()).toEqual([6, true, false]);
    timers.pass(34_000);
    expect(now()).toEqual([40, true, false]);
  });

  test('that ends after a loss is back for 2 s; a shorter one just ends', () => {
    const { timers, silence, now } = setUp();
    silence.heard(0);
    timers.pass(4500);
    silence.heard(0);
    expect(now()).toEqual([null, false, false]);
    timers.pass(6000);
    silence.heard(0);
    expect(now()).toEqual([null, false, true]);
    timers.pass(1999);
    expect(now()).toEqual([null, false, true]);
    timers.pass(1);
    expect(now()).toEqual([null, false, false]);
  });

  test('a break is a loss at once, until something comes', () => {
    const { timers, silence, now } = setUp();
    silence.heard(0);
    timers.pass(100);
    silence.dropped();
    expect(now()).toEqual([null, true, false]);
    silence.heard(100);
    timers.pass(1);
    silence.heard(50);
    expect(now()).toEqual([null, true, false]);
    silence.heard(0);
    expect(now()).toEqual([null, false, true]);
    silence.dropped();
    expect(now()).toEqual([null, true, false]);
  });

  test('before the first word there is nothing to lose', () => {
    const { timers, silence, now } = setUp();
    silence.dropped();
    timers.pass(60_000);
    expect(now()).toEqual([null, false, false]);
  });

  test('a sleep of the machine proves nothing; a link that died in it is lost 3 s later', () => {
    const { timers, silence, now } = setUp();
    silence.heard(0);
    timers.sleep(3_600_000);
    expect(now()).toEqual([null, false, false]);
    timers.pass(2900);
    expect(now()).toEqual([null, false, false]);
    timers.pass(200);
    expect(now()[1]).toBe(true);
  });

  test('a hidden window counts nothing, and has 3 s to hear something when it is shown again', () => {
    const { timers, silence, now } = setUp();
    silence.heard(0);
    silence.setHidden(true);
    timers.pass(600_000);
    expect(timers.pending()).toBe(0);
    silence.setHidden(false);
    silence.heard(600_000);
    expect(now()).toEqual([null, false, false]);
    timers.pass(2000);
    silence.heard(0);
    timers.pass(3000);
    expect(now()).toEqual([null, false, false]);
  });

  test('what broke and came back while the window was hidden is not told', () => {
    const { timers, silence, now } = setUp();
    silence.heard(0);
    silence.setHidden(true);
    silence.dropped();
    timers.pass(1000);
    silence.heard(0);
    silence.setHidden(false);
    expect(now()).toEqual([null, false, false]);
  });
});

describe('two windows over one stream', () => {
  test('hear the same, also the one that comes late or was away', () => {
    const timers = fakeTimers();
    const sources = fakeSources();
    const stream = new SharedStream(
      { ...timers, openSource: sources.open, random: () => 1 },
      () => createGlances,
    );
    const join = () => {
      const silence = createSilence(timers);
      const tell = stream.join((message: ToWindow) => {
        if (message.type === 'heard') silence.heard(message.agoMs);
        else if (message.type === 'state') silence.heard(message.quietMs ?? 0);
        else if (message.type === 'delta' && message.version === undefined) silence.heard(0);
      });
      return { silence, tell, now: () => [silence.seconds.value, silence.isLost.value] };
    };
    const first = join();
    const away = join();
    sources.last().open();
    sources.last().send('snapshot', aSnapshot(['BHP']));
    away.silence.setHidden(true);
    timers.pass(2000);
    sources.last().send('ping', { time: 1 });
    timers.pass(6000);
    const late = join();
    away.silence.setHidden(false);
    away.tell({ type: 'shown' });
    expect(first.now()).toEqual([6, true]);
    timers.pass(3500);
    expect([late.now(), away.now()]).toEqual([first.now(), first.now()]);
    sources.last().send('ping', { time: 2 });
    expect([first, away, late].map(({ now }) => now())).toEqual([
      [null, false],
      [null, false],
      [null, false],
    ]);
  });
});

describe('the page', () => {
  let timers: ReturnType<typeof fakeTimers>;
  let receive: (message: ToWindow) => void;
  let stop: () => void;
  const pass = (ms: number) => act(() => timers.pass(ms));
  const begin = (marketTime: number) =>
    act(() => {
      const state = fromSnapshot(aSnapshot(['BHP'], { marketTime, clockSpeed: 1 }), Date.now());
      receive({ type: 'state', state: { ...state, changedAt: Date.now() }, connection: 'live' });
    });
  const strip = () => document.querySelector('.strip')?.className;
  const aged = () => document.querySelector('.state-stream')?.textContent;
  const arePricesMuted = () => document.documentElement.classList.contains('prices-old');
  beforeEach(() => {
    timers = fakeTimers();
    stop = startLive((take) => {
      receive = take;
      return () => {};
    }, timers);
  });
  afterEach(() => {
    cleanup();
    stop();
  });

  test('in market hours turns amber and mutes its prices after 5 s, and says Back for 2 s', () => {
    window.location.hash = '#/calls';
    render(<Shell />);
    render(<ScannerStrip />);
    begin(IN_MARKET_HOURS);
    expect([strip(), aged(), arePricesMuted()]).toEqual(['strip', 'Live', false]);
    pass(3001);
    expect([strip(), aged()]).toEqual(['strip', 'Live4 s']);
    pass(2000);
    expect(strip()).toBe('strip is-old');
    expect(aged()).toStartWith('Live6 s');
    expect(arePricesMuted()).toBe(true);
    act(() => receive({ type: 'heard', agoMs: 0 }));
    expect([strip(), aged(), arePricesMuted()]).toEqual(['strip', 'LiveBack', false]);
    const back = document.querySelector('.state-back');
    expect([back?.getAttribute('role'), back?.textContent]).toEqual(['status', 'Back']);
    pass(2000);
    expect(aged()).toBe('Live');
  });

  test('turns amber at once when the connection breaks and when the network goes', () => {
    render(<ScannerStrip />);
    begin(IN_MARKET_HOURS);
    act(() => receive({ type: 'connection', connection: 'reconnecting' }));
    expect(strip()).toBe('strip is-old');
    expect(aged()).toStartWith('Reconnecting…');
    act(() => {
      receive({ type: 'connection', connection: 'live' });
      timers.pass(1);
      receive({ type: 'delta', delta: aDelta({}), receivedAt: 0, changedAt: 0 });
    });
    expect(strip()).toBe('strip');
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(strip()).toBe('strip is-old');
  });

  test('an answer to what the window watches is no word of the server', () => {
    render(<ScannerStrip />);
    begin(IN_MARKET_HOURS);
    pass(6000);
    act(() => receive({ type: 'delta', delta: aDelta({}), receivedAt: 0, changedAt: 0, version: 2 }));
    expect(strip()).toBe('strip is-old');
  });

  test('overnight shows the age, and nothing else: no price moves then', () => {
    render(<ScannerStrip />);
    begin(AT_NIGHT);
    pass(7000);
    expect(strip()).toBe('strip');
    expect(aged()).toStartWith('Live7 s');
  });

  test('without a scanner strip says it in the line above the screen', () => {
    render(<StaleStrip hasScannerStrip={false} />);
    begin(IN_MARKET_HOURS);
    pass(4999);
    expect(screen.queryByRole('status') === null).toBe(true);
    pass(2);
    // A screen reader hears it once; who sees it sees the seconds.
    expect(screen.getByRole('status').textContent).toBe('Connection lost. Reconnecting…');
    expect(screen.getByText(/^Connection lost: prices frozen \d+ s ago\. Reconnecting…$/)).toBeTruthy();
    act(() => receive({ type: 'heard', agoMs: 0 }));
    expect(screen.getByRole('status').textContent).toBe('Back');
  });
});
