import { afterEach, beforeEach, expect, test } from 'bun:test';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SupportControls } from '../../../../src/admin/support/web/shared/SupportControls.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { findings } from '../../../support/axe.ts';
import { fakeApi } from '../../../support/fakeApi.ts';

const MAKE = 'POST /api/admin/support';

let server: ReturnType<typeof fakeApi>;
beforeEach(() => {
  server = fakeApi({ [MAKE]: { body: 'bytes' } });
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
});

const press = () => userEvent.click(screen.getByRole('button', { name: 'Download support file' }));

test('the file is saved under its day', async () => {
  const saved: string[] = [];
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function save() {
    saved.push(this.download);
  };
  try {
    render(<SupportControls />);
    expect(await findings(document.body)).toEqual([]);
    await press();
    await screen.findByRole('button', { name: 'Download support file' });
    expect(saved).toEqual([expect.stringMatching(/^bellbird-support-\d{4}-\d{2}-\d{2}\.tar\.gz$/)]);
    expect(server.to('/api/admin/support')).toHaveLength(1);
  } finally {
    HTMLAnchorElement.prototype.click = click;
  }
});

test('a refusal says why', async () => {
  server.answers[MAKE] = { status: 429, body: { error: 'Too many support files. Try again in 20 seconds.' } };
  render(<SupportControls />);
  await press();
  expect((await screen.findByRole('alert')).textContent).toContain('Too many support files.');
});
