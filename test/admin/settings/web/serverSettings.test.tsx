import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ServerSettings } from '../../../../src/admin/settings/web/ServerSettings.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const LIST = 'GET /api/admin/settings';
const setting = (name: string, more: object = {}) => ({
  ...{ name, meaning: `what ${name} does`, isSecret: false, isSet: false, value: null },
  ...{ fallback: 'none', origin: 'default' },
  ...more,
});
const SETTINGS = [
  setting('BELLBIRD_PORT', { isSet: true, value: '3001', fallback: '3000', origin: 'environment' }),
  setting('BELLBIRD_HOST', { fallback: '0.0.0.0' }),
  setting('BELLBIRD_AI_KEY', { isSecret: true, isSet: true, origin: 'environment' }),
  setting('BELLBIRD_INGEST_KEY', { isSecret: true }),
  setting('BELLBIRD_JWT_SECRET', { isSecret: true, isSet: true, origin: 'file' }),
];

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({ [LIST]: { body: { settings: SETTINGS } } });
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
});

const rows = async () =>
  within(await screen.findByRole('table', { name: 'Settings' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test('settings are listed with value, default and where they come from', async () => {
  render(<ServerSettings />);
  expect(await rows()).toEqual([
    ['BELLBIRD_PORT', 'what BELLBIRD_PORT does', '3001', '3000', 'Environment'],
    ['BELLBIRD_HOST', 'what BELLBIRD_HOST does', '–', '0.0.0.0', 'Default'],
    ['BELLBIRD_AI_KEY', 'what BELLBIRD_AI_KEY does', 'Set', 'none', 'Environment'],
    ['BELLBIRD_INGEST_KEY', 'what BELLBIRD_INGEST_KEY does', 'Not set', 'none', 'Default'],
    ['BELLBIRD_JWT_SECRET', 'what BELLBIRD_JWT_SECRET does', 'Set', 'none', 'File in the data folder'],
  ]);
  expect(await findings(document.body)).toEqual([]);
});

test('the box narrows them by name, meaning and value', async () => {
  render(<ServerSettings />);
  const box = await screen.findByRole('searchbox', { name: 'Filter settings' });
  await userEvent.type(box, ' ingest ');
  expect((await rows()).map(([name]) => name)).toEqual(['BELLBIRD_INGEST_KEY']);
  await userEvent.clear(box);
  await userEvent.type(box, '3001');
  expect((await rows()).map(([name]) => name)).toEqual(['BELLBIRD_PORT']);
  await userEvent.type(box, 'xyz');
  await screen.findByText('No setting matches.');
});
