import { beforeEach, expect, test } from 'bun:test';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SecondFactorPanel } from '#subjects/accounts/web/shared/account/AccountPanel.tsx';
import { navigate } from '#web/router/navigate.ts';
import { results } from '#support/axe.ts';
import { pageApi } from '#support/fakeApi.ts';

const PATH = '/api/settings/second-factor';
const CODES = ['AAAA-BBBB-CCCC-DDDD', 'EEEE-FFFF-GGGG-2222'];
const OFF = { on: false, demanded: false, recoveryCodesLeft: 0 };
const ON = { on: true, demanded: false, recoveryCodesLeft: 10 };

const server = pageApi(() => ({ [`GET ${PATH}`]: { body: OFF } }));
let turnedOn = 0;
beforeEach(() => {
  turnedOn = 0;
});

const show = () => render(<SecondFactorPanel onTurnedOn={() => (turnedOn += 1)} />);
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const isThere = (text: RegExp) => screen.queryByText(text) !== null;

test('two-factor login in Settings is set up with password, QR code and code, and shows the recovery codes once', async () => {
  server.answers[`POST ${PATH}/begin`] = {
    body: { secret: 'GEZDGNBVGY3TQOJQ', address: 'otpauth://totp/Bellbird:maggie?secret=GEZDGNBVGY3TQOJQ' },
  };
  server.answers[`POST ${PATH}/confirm`] = { body: { recoveryCodes: CODES } };
  show();
  await press('Turn on two-factor login');
  await userEvent.type(await screen.findByLabelText('Your password'), 'right password{Enter}');
  await screen.findByRole('img', { name: 'QR code for your authenticator app' });
  expect(isThere(/GEZD GNBV GY3T QOJQ/)).toBe(true);
  expect(await results(document.body)).toEqual([]);
  server.answers[`GET ${PATH}`] = { body: ON };
  await userEvent.type(screen.getByLabelText('Code'), '123 456{Enter}');
  await screen.findByText(CODES[1] ?? '');
  expect(server.to(`${PATH}/confirm`)[0]?.body).toEqual({ code: '123 456' });
  expect(turnedOn).toBe(1);
  await press('Done');
  expect(isThere(/not copied or downloaded/)).toBe(true);
  await press('Done');
  await waitFor(() => expect(isThere(/AAAA-BBBB/)).toBe(false));
  expect(isThere(/10 recovery codes are left/)).toBe(true);
});

test('two-factor login in Settings takes the focus only when a link leads to it, once loaded', async () => {
  navigate('/settings?show=two-factor');
  show();
  await screen.findByText(/Off. You log in with/);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Two-factor login'));
  cleanup();
  navigate('/settings');
  show();
  await screen.findByText(/Off. You log in with/);
  expect(document.activeElement?.textContent).not.toBe('Two-factor login');
});

test('two-factor login in Settings shows errors at their fields and keeps the typed text', async () => {
  server.answers[`GET ${PATH}`] = { body: { ...ON, recoveryCodesLeft: 1 } };
  server.answers[`POST ${PATH}/off`] = {
    status: 400,
    body: { error: 'That code is wrong.', field: 'code' },
  };
  show();
  await screen.findByText(/1 recovery code is left: make new ones/);
  await press('Turn off two-factor login');
  await userEvent.type(await screen.findByLabelText('Your password'), 'right password');
  await userEvent.type(screen.getByLabelText('Code'), '000000');
  await press('Turn off');
  await screen.findByText('That code is wrong.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Code')));
  expect((screen.getByLabelText('Your password') as HTMLInputElement).value).toBe('right password');
  server.answers[`POST ${PATH}/off`] = { body: { success: true } };
  server.answers[`GET ${PATH}`] = { body: OFF };
  await press('Turn off');
  await screen.findByText(/Off. You log in with/);
});
