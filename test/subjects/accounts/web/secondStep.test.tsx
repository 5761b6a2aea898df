import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { LoginPage } from '../../../../src/subjects/accounts/web/LoginPage.tsx';
import { navigate } from '../../../../web/router/navigate.ts';
import { endSession, session } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const STEP = 'POST /api/login/second-step';
let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({
    'GET /api/test/status': { body: { test: false } },
    'POST /api/login': {
      status: 401,
      body: { authenticated: false, error: 'Type the code.', field: 'code', ticket: 'the ticket' },
    },
  });
  navigate('/login');
});
afterEach(() => {
  endSession();
  server.restore();
});

async function toSecondStep(): Promise<HTMLElement> {
  render(<LoginPage />);
  await userEvent.type(screen.getByLabelText('Username'), 'maggie');
  await userEvent.type(screen.getByLabelText('Password'), 'right password{Enter}');
  return screen.findByLabelText('Code');
}
const alertText = () => screen.getByRole('alert').textContent;

describe('the second step of a login', () => {
  test('asks for six digits, takes a pasted code with blanks, and signs in', async () => {
    server.answers[STEP] = { body: { authenticated: true, accessToken: 't', accessLevel: 1 } };
    const box = await toSecondStep();
    expect([box.getAttribute('autocomplete'), box.getAttribute('inputmode')]).toEqual([
      'one-time-code',
      'numeric',
    ]);
    await waitFor(() => expect(document.activeElement).toBe(box));
    await userEvent.paste(' 123 456 ');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(session.value.accessToken).toBe('t'));
    expect(server.to('/api/login/second-step')[0]?.body).toEqual({ ticket: 'the ticket', code: '123456' });
  });
  test('says what is no code without asking the server, and what was wrong', async () => {
    server.answers[STEP] = { status: 401, body: { error: 'That code is wrong.', field: 'code' } };
    const box = await toSecondStep();
    await userEvent.type(box, '123{Enter}');
    expect(alertText()).toContain('six digits');
    expect(server.to('/api/login/second-step')).toHaveLength(0);
    await userEvent.type(box, '456{Enter}');
    await waitFor(() => expect(alertText()).toBe('That code is wrong.'));
    expect(box.getAttribute('aria-invalid')).toBe('true');
    expect(session.value.isAuthenticated).toBe(false);
  });
  test('takes a recovery code instead', async () => {
    server.answers[STEP] = { body: { authenticated: true, accessToken: 't', accessLevel: 1 } };
    await toSecondStep();
    await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
    await userEvent.type(screen.getByLabelText('Recovery code'), '123456{Enter}');
    expect(alertText()).toContain('not a recovery code');
    await userEvent.click(screen.getByRole('button', { name: 'Use the code of your app' }));
    expect(alertText()).toBe('');
    await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
    await userEvent.type(screen.getByLabelText('Recovery code'), 'abcd-efgh-2345-wxyz{Enter}');
    await waitFor(() => expect(session.value.accessToken).toBe('t'));
    expect(server.to('/api/login/second-step')[0]?.body).toMatchObject({ code: 'ABCDEFGH2345WXYZ' });
  });
  test('goes back to the password with the reason when the ticket is over', async () => {
    server.answers[STEP] = { status: 401, body: { error: 'It took too long.', field: 'ticket' } };
    await userEvent.type(await toSecondStep(), '123456{Enter}');
    await screen.findByLabelText('Password');
    expect(alertText()).toBe('It took too long.');
    expect((screen.getByLabelText('Username') as HTMLInputElement).value).toBe('maggie');
  });
  test('says that there is no network, and can be tried again', async () => {
    server.answers[STEP] = 'offline';
    await userEvent.type(await toSecondStep(), '123456{Enter}');
    await waitFor(() => expect(alertText()).toBe('Network error. Try again.'));
    expect(screen.getByRole('button', { name: 'Log in' }).hasAttribute('disabled')).toBe(false);
  });
});
