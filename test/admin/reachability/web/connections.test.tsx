import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Connections } from '../../../../src/admin/reachability/web/Connections.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const LIST = 'GET /api/admin/connections';
const TELEGRAM = { key: 'telegram', name: 'Telegram', tries: 'Asks who the bot is.', costs: false };
const MODEL = { key: 'model', name: 'Model', tries: 'Asks small for one token.', costs: true };
const TEST_TELEGRAM = 'POST /api/admin/connections/telegram/test';
const TEST_MODEL = 'POST /api/admin/connections/model/test';
const works = { body: { state: 'ok', says: 'Telegram knows the bot as bell.', remedy: '', tookMs: 120 } };
const broken = {
  body: { state: 'wrong', says: 'It refused the key.', remedy: 'Compare BELLBIRD_AI_KEY.', tookMs: 2340 },
};

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({
    [LIST]: { body: { connections: [TELEGRAM, MODEL] } },
    ...{ [TEST_TELEGRAM]: works, [TEST_MODEL]: broken },
  });
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
});

const items = async () =>
  within(await screen.findByRole('list', { name: 'Connections' })).getAllByRole('listitem');
const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: `Test ${name}` }));

describe('the connections', () => {
  test('say what a test asks for, and that the model may cost', async () => {
    render(<Connections />);
    expect((await items()).map(({ textContent }) => textContent)).toEqual([
      'TelegramAsks who the bot is.Test',
      'ModelAsks small for one token. It may cost a little, and the audit notes it.Test',
    ]);
    expect(await findings(document.body)).toEqual([]);
  });
});

describe('a test', () => {
  test('says what came of it, how long it took and what to do, and keeps the focus', async () => {
    render(<Connections />);
    await press('Telegram');
    await screen.findByText('Works');
    expect((await items())[0]?.textContent).toContain('Works Telegram knows the bot as bell. In 120 ms.');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Test Telegram');
    await press('Model');
    await screen.findByText('Does not work');
    expect((await items())[1]?.textContent).toContain(
      'It refused the key. In 2.3 s.Compare BELLBIRD_AI_KEY.',
    );
    expect(await findings(document.body)).toEqual([]);
  });
});
