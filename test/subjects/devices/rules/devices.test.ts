import { describe, expect, test } from 'bun:test';
import { checkDestinations } from '#subjects/alerts/rules/alertRules.ts';
import { NOWHERE } from '#subjects/alerts/rules/alert.ts';
import { deviceAddress, readDeviceAddress } from '#platform/push/rules/pushService.ts';
import { checkEndpoint, pushServiceOf } from '#subjects/devices/rules/pushEndpoint.ts';
import { quietUntil } from '#subjects/devices/rules/device.ts';
import { createActionTokens } from '#platform/push/actionToken.ts';
import { pushNotification, pushOverflow } from '#platform/push/render.ts';

describe('Off today', () => {
  const sydney = (text: string) => Date.parse(text);
  test.each([
    ['in trading hours ends the next morning', '2026-11-26T11:30:00+11:00', '2026-11-27T07:00:00+11:00'],
    ['before the session ends at its start', '2026-11-26T06:59:00+11:00', '2026-11-26T07:00:00+11:00'],
    ['at its start ends the next morning', '2026-11-26T07:00:00+11:00', '2026-11-27T07:00:00+11:00'],
    ['lasts 23 hours as summer time begins', '2026-10-03T12:00:00+10:00', '2026-10-04T07:00:00+11:00'],
    ['lasts at most a day when summer time ends', '2026-04-04T07:00:00+11:00', '2026-04-05T07:00:00+11:00'],
  ])('%s', (_name, now, until) => {
    expect(new Date(quietUntil('today', sydney(now))).toISOString()).toBe(new Date(until).toISOString());
  });

  test('a snooze is a quarter of an hour', () => expect(quietUntil('snooze', 1000)).toBe(1000 + 900_000));
});

test('only an address names a device and its queue', () => {
  expect(readDeviceAddress(deviceAddress('mozilla', 17))).toEqual({ service: 'mozilla', id: 17 });
  for (const text of ['17', 'elsewhere:17', 'google:', 'google:1x', '123456789']) {
    expect(readDeviceAddress(text)).toBeNull();
  }
});

test('a client without device support keeps the devices of an alert', () => {
  const before = { ...NOWHERE, devices: [2] };
  expect(checkDestinations({ telegram: true }, before)).toEqual({
    ok: true,
    value: { telegram: true, discord: false, devices: [2] },
  });
  expect(checkDestinations({ devices: [] }, before)).toMatchObject({ value: { devices: [] } });
});

test('push services are recognised by host, and others need the administrator’s permission', () => {
  expect(pushServiceOf('https://updates.push.services.mozilla.com/wpush/v2/x')).toBe('mozilla');
  expect(pushServiceOf('https://push.example.org/x')).toBe('other');
  expect(checkEndpoint('https://push.example.org/x', []).ok).toBe(false);
  expect(checkEndpoint('https://push.example.org/x', ['https://push.example.org']).ok).toBe(true);
  expect(checkEndpoint('https://push.example.org:444/x', ['https://push.example.org']).ok).toBe(false);
});

test('a token with another secret or another alert is invalid', () => {
  const [ours, theirs] = [createActionTokens('ours'), createActionTokens('theirs')];
  const action = { deviceId: 1, kind: 'scan', alertId: 2 } as const;
  const token = ours.sign(action, 0);
  expect(ours.read(token, 0)).toEqual(action);
  expect(theirs.read(token, 0)).toBeNull();
  expect(ours.read(token, 24 * 3_600_000)).toBeNull();
  for (const wrong of ['', 'x', token.replace('scan', 'alert'), `${token}x`, token.slice(1)]) {
    expect(ours.read(wrong, 0)).toBeNull();
  }
});

test('a notification payload fits the limit of every push service, for any message', () => {
  const message = {
    title: '株'.repeat(500),
    lines: Array.from({ length: 20 }, () => '"\\株'.repeat(60)),
    link: null,
    page: `#/${'x'.repeat(300)}`,
    buttons: [],
  };
  const notification = pushNotification(message, {
    nonce: 'n'.repeat(25),
    mayRepeat: true,
    token: 't'.repeat(100),
  });
  expect(new TextEncoder().encode(JSON.stringify(notification)).byteLength).toBeLessThan(3993);
  expect(pushOverflow({ lines: ['x'.repeat(900)] })).toBe(0);
  expect(pushOverflow({ lines: ['x'.repeat(900), 'y'] })).toBe(2);
});

test('a later message of the same alert replaces the earlier one, others are separate', () => {
  const of = (buttons: Parameters<typeof pushNotification>[0]['buttons']) =>
    pushNotification(
      { title: 't', lines: [], link: null, buttons },
      { nonce: 'n', mayRepeat: false, token: null },
    ).tag;
  expect(of([{ action: 'snooze', target: 3, label: '' }])).toBe('alert-3');
  expect(of([{ action: 'on', target: 3, label: '' }])).toBe('alert-3');
  expect(
    of([
      { action: 'scanmute', target: 9, label: '' },
      { action: 'scansnooze', target: 4, label: '' },
    ]),
  ).toBe('scan-4');
  expect(of([])).toBe('n');
});
