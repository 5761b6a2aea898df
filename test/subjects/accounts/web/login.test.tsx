import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { demoName, LoginPage } from '#subjects/accounts/web/LoginPage.tsx';
import { RegisterPage } from '#subjects/accounts/web/RegisterPage.tsx';
import { navigate } from '#web/router/navigate.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { pageApi } from '#support/fakeApi.ts';

const server = pageApi(() => ({ 'GET /api/test/status': { body: { test: false } } }));
beforeEach(() => navigate('/login'));
const isWrong = (label: string) => screen.getByLabelText(label).getAttribute('aria-invalid') === 'true';
const alertText = () => screen.getByRole('alert').textContent;

describe('Login', () => {
  test('shows a refused login, and signs in an accepted one', async () => {
    server.answers['POST /api/login'] = { status: 401, body: { error: 'Invalid username or password' } };
    render(<LoginPage />);
    await userEvent.type(screen.getByLabelText('Username'), 'maggie');
    await userEvent.type(screen.getByLabelText('Password'), 'wrong1{Enter}');
    await waitFor(() => expect(alertText()).toBe('Invalid username or password'));
    server.answers['POST /api/login'] = { body: { authenticated: true, accessToken: 't', accessLevel: 1 } };
    await userEvent.click(screen.getByRole('button', { name: 'Login' }));
    await waitFor(() => expect(session.value.accessToken).toBe('t'));
    expect(server.to('/api/login')[1]?.body).toEqual({ identifier: 'maggie', password: 'wrong1' });
    expect(window.location.hash).toBe('#/pre-market');
  });
  test('marks only the refused field', async () => {
    server.answers['POST /api/login'] = { status: 400, body: { error: 'Too long.', field: 'password' } };
    render(<LoginPage />);
    await userEvent.type(screen.getByLabelText('Username'), 'maggie');
    await userEvent.type(screen.getByLabelText('Password'), 'secret{Enter}');
    await waitFor(() => expect(alertText()).toBe('Too long.'));
    expect([isWrong('Username'), isWrong('Password')]).toEqual([false, true]);
  });
  test('links to registration', () => {
    render(<LoginPage />);
    expect(screen.getByRole('link', { name: 'Register' }).getAttribute('href')).toBe('#/register');
  });
  test('offers demo data in test mode only', async () => {
    const { unmount } = render(<LoginPage />);
    await waitFor(() => expect(server.to('/api/test/status')).toHaveLength(1));
    expect(screen.queryByText('Seed Demo Data (Test Mode)') === null).toBe(true);
    unmount();
    server.answers['GET /api/test/status'] = { body: { test: true } };
    server.answers['POST /api/test/seed'] = {
      body: { success: true, accessToken: 'seeded', user: { role: 'admin', isAdmin: true } },
    };
    render(<LoginPage />);
    await userEvent.type(screen.getByLabelText('Username'), 'admin');
    await userEvent.click(await screen.findByRole('button', { name: 'Seed Demo Data (Test Mode)' }));
    await waitFor(() => expect(session.value.accessLevel).toBe(4));
    expect(server.to('/api/test/seed')[0]?.body).toEqual({
      username: expect.stringMatching(/^admin-[0-9a-f]{12}$/),
    });
  });
  test('demo data belong to the browser: the same account each time, another one in another browser', () => {
    const first = demoName('');
    expect(first).toMatch(/^demo-[0-9a-f]{12}$/);
    expect(demoName(' premium ')).toBe(first.replace('demo', 'premium'));
    expect(demoName(first)).toBe(first);
    expect(demoName('a'.repeat(60))).toHaveLength(50);
    localStorage.setItem('bellbird.demo', '0123456789ab');
    expect(demoName('')).toBe('demo-0123456789ab');
    localStorage.setItem('bellbird.demo', '<b>');
    expect(demoName('')).toMatch(/^demo-[0-9a-f]{12}$/);
  });
});

describe('Register', () => {
  const FIELDS = ['Username', 'Password', 'Confirm password', 'Email (optional)'];
  const fill = async (values: Record<string, string>) => {
    for (const [label, value] of Object.entries(values)) {
      const box = screen.getByLabelText(label);
      await userEvent.clear(box);
      if (value) await userEvent.type(box, value);
    }
    await userEvent.click(screen.getByRole('button', { name: 'Register' }));
  };
  test('checks name, password and confirmation in this order before it sends', async () => {
    render(<RegisterPage />);
    await fill({ Username: '  ', Password: 'short', 'Confirm password': 'other' });
    expect(alertText()).toBe('Username is required');
    await fill({ Username: 'maggie' });
    expect(alertText()).toBe('Password must be at least 6 characters');
    await fill({ Password: 'secret1' });
    expect(alertText()).toBe('Passwords do not match');
    expect(FIELDS.filter(isWrong)).toEqual(['Confirm password']);
    expect(server.to('/api/register')).toHaveLength(0);
  });
  test('marks the field that the server refuses, and none without a network', async () => {
    const taken = { error: 'That username is taken.', field: 'username' };
    server.answers['POST /api/register'] = { status: 409, body: taken };
    render(<RegisterPage />);
    await fill({ Username: 'maggie', Password: 'secret1', 'Confirm password': 'secret1' });
    await waitFor(() => expect(alertText()).toBe('That username is taken.'));
    expect(FIELDS.filter(isWrong)).toEqual(['Username']);
    server.answers['POST /api/register'] = 'offline';
    await fill({});
    await waitFor(() => expect(alertText()).toBe('Network error. Try again.'));
    expect(FIELDS.filter(isWrong)).toEqual([]);
  });
  test('with a set-up link names the administrator role and sends the token', async () => {
    server.answers['POST /api/register'] = { status: 403, body: { error: 'This set-up link is not valid.' } };
    navigate('/register?setup=abc123');
    render(<RegisterPage />);
    expect(screen.getByText(/becomes the administrator/)).toBeTruthy();
    await fill({
      Username: 'owner',
      Password: 'secret1',
      'Confirm password': 'secret1',
      'Email (optional)': 'o@example.org',
    });
    await waitFor(() => expect(alertText()).toBe('This set-up link is not valid.'));
    expect(server.to('/api/register')[0]?.body).toEqual({
      username: 'owner',
      password: 'secret1',
      email: 'o@example.org',
      platform: 'web',
      setupToken: 'abc123',
    });
  });
});

describe('the first field', () => {
  const hasFocus = (label: string) => screen.getByLabelText(label) === document.activeElement;
  const real = window.matchMedia;
  afterEach(() => {
    window.matchMedia = real;
  });

  test('does not take the focus from a field in use, and opens no touch keyboard', () => {
    const { unmount } = render(<input aria-label="Elsewhere" />);
    screen.getByLabelText('Elsewhere').focus();
    render(<LoginPage />);
    expect(hasFocus('Elsewhere')).toBe(true);
    unmount();
    window.matchMedia = (query) =>
      Object.create(real.call(window, query), { matches: { value: query.includes('coarse') } });
    render(<RegisterPage />);
    expect(document.activeElement).toBe(document.body);
  });
});

const STEP = 'POST /api/login/second-step';
/** Logs in with a right password, which a server with two-factor login answers with a ticket. */
async function toSecondStep(): Promise<HTMLElement> {
  server.answers['POST /api/login'] = {
    status: 401,
    body: { authenticated: false, error: 'Enter the code.', field: 'code', ticket: 'the ticket' },
  };
  render(<LoginPage />);
  await userEvent.type(screen.getByLabelText('Username'), 'maggie');
  await userEvent.type(screen.getByLabelText('Password'), 'right password{Enter}');
  return screen.findByLabelText('Code');
}
describe('the second step of a login', () => {
  test('asks for six digits, accepts a pasted code with blanks, and signs in', async () => {
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
  test('reports a malformed code without a request, and a wrong one after it', async () => {
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
  test('accepts a recovery code instead', async () => {
    server.answers[STEP] = { body: { authenticated: true, accessToken: 't', accessLevel: 1 } };
    await toSecondStep();
    await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
    await userEvent.type(screen.getByLabelText('Recovery code'), '123456{Enter}');
    expect(alertText()).toContain('not a recovery code');
    await userEvent.click(screen.getByRole('button', { name: 'Use the code from your app' }));
    expect(alertText()).toBe('');
    await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
    await userEvent.type(screen.getByLabelText('Recovery code'), 'abcd-efgh-2345-wxyz{Enter}');
    await waitFor(() => expect(session.value.accessToken).toBe('t'));
    expect(server.to('/api/login/second-step')[0]?.body).toMatchObject({ code: 'ABCDEFGH2345WXYZ' });
  });
  test('returns to the password with the reason when the ticket has expired', async () => {
    server.answers[STEP] = { status: 401, body: { error: 'It took too long.', field: 'ticket' } };
    await userEvent.type(await toSecondStep(), '123456{Enter}');
    await screen.findByLabelText('Password');
    expect(alertText()).toBe('It took too long.');
    expect((screen.getByLabelText('Username') as HTMLInputElement).value).toBe('maggie');
  });
});
