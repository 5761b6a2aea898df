import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test';
import { act, render, screen } from '@testing-library/react';
import { Relays } from '#admin/relays/web/Relays.tsx';
import { results } from '#support/axe.ts';
import { adminApi, rowsOf, settle } from '#support/adminApi.ts';
import { aRelay, aRelayState } from '#support/relayStates.ts';

const RELAYS = 'GET /api/admin/relays';
const answer = (more: Parameters<typeof aRelayState>[0] = {}) => ({
  body: { isSet: true, ...aRelayState(more) },
});

const server = adminApi(() => ({ [RELAYS]: answer() }));
let isHidden = false;
beforeEach(() => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
});
afterEach(() => {
  jest.useRealTimers();
  isHidden = false;
  Reflect.deleteProperty(document, 'hidden');
});

const asked = () => server.to('/api/admin/relays').length;
const pass = async (ms: number) => {
  act(() => void jest.advanceTimersByTime(ms));
  await settle();
};

describe('the list of relays', () => {
  test('shows pages, lag, and since when', async () => {
    server.answers[RELAYS] = answer({
      relays: [
        aRelay(),
        aRelay({ id: 'b2', name: 'perth', lagFrames: 3, lagMs: 45.4, isSameVersion: false, version: '1.3' }),
        aRelay({ id: 'c3', name: '', lagFrames: null, lagMs: null, speaksProtocol: false }),
        aRelay({ id: 'd4', name: 'hobart', lagFrames: 1, lagMs: null }),
      ],
    });
    render(<Relays />);
    await screen.findByRole('table', { name: 'Relays' });
    const headings = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headings).toEqual(['Relay', 'Version', 'Pages', 'Alert pages', 'Behind', 'Sent', 'Since']);
    expect(
      rowsOf('Relays').map(([name, version, ...rest]) => [name, version?.split(':')[0], ...rest]),
    ).toEqual([
      ['sydney', '1.4.0', '9,876', '120', 'nothing', '5.0 GB', expect.stringContaining('18 Nov')],
      ['perth', '1.3Another version', '9,876', '120', '3 frames, 45 ms', '5.0 GB', expect.any(String)],
      ['c3', '1.4.0Another protocol', '9,876', '120', '–', '5.0 GB', expect.any(String)],
      ['hobart', '1.4.0', '9,876', '120', '1 frame', '5.0 GB', expect.any(String)],
    ]);
    expect(screen.getByText('Redis is up, and every change is published to it.')).toBeTruthy();
    const facts = [...document.querySelectorAll('.fact-list dd')].map(({ textContent }) => textContent);
    expect(facts).toEqual(['4', '39,504', '12,345', '180 MB']);
    expect(await results(document.body)).toEqual([]);
  });

  test('shows the command that starts a relay if there are none', async () => {
    server.answers[RELAYS] = answer({ relays: [] });
    render(<Relays />);
    await screen.findByText('No relay is connected.');
    expect(document.querySelector('code')?.textContent).toEndWith(
      `BELLBIRD_PRIMARY_URL=${window.location.origin} bellbird relay`,
    );
    expect(screen.queryByRole('table')).toBeNull();
    expect(await results(document.body)).toEqual([]);
  });
});

test('relays are loaded every five seconds while the page is visible, and when it becomes visible', async () => {
  jest.useFakeTimers();
  render(<Relays />);
  await settle();
  expect(asked()).toBe(1);
  await pass(5000);
  await pass(5000);
  expect(asked()).toBe(3);
  isHidden = true;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await pass(60_000);
  expect(asked()).toBe(3);
  isHidden = false;
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await settle();
  expect(asked()).toBe(4);
});
