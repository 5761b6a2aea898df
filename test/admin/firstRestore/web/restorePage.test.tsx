import { expect, spyOn, test } from 'bun:test';
import { fireEvent, render, screen } from '@testing-library/react';
import { RestorePage } from '#admin/firstRestore/web/RestorePage.tsx';

const EMPTY = {
  state: 'none',
  arrived: 0,
  progress: 0,
  failure: null,
  preview: null,
  target: null,
  noRestart: null,
  accountsHere: 0,
  namesHere: [],
};
const READY = {
  ...EMPTY,
  state: 'ready',
  preview: { madeAt: Date.UTC(2026, 10, 26), version: '0.9.0', accounts: 7, pending: 1 },
};
const READ_WHOLE = /complete and valid.*older version/;

test('a backup is chosen, refused for its passphrase, retried, and shown before anything changes', async () => {
  const answers = [
    { body: EMPTY },
    { body: { ...EMPTY, state: 'arrived' } },
    { body: { ...EMPTY, state: 'arrived', failure: 'The passphrase or key does not open this backup.' } },
    { body: READY },
    { body: { error: 'Nothing works today.' }, status: 500 },
  ];
  const asked: string[] = [];
  const fetching = spyOn(globalThis, 'fetch').mockImplementation((async (url: string) => {
    asked.push(url.replace('/api/setup/restore', ''));
    const { body, status = 200 } = answers.shift() ?? { body: READY };
    return Response.json(body, { status });
  }) as unknown as typeof fetch);
  try {
    render(<RestorePage />);
    const check = await screen.findByRole('button', { name: 'Check the backup' });
    fireEvent.click(check);
    expect(await screen.findByText('Choose a backup first.')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Backup file'), {
      target: { files: [new File(['backup'], 'a.db.age')] },
    });
    expect(await screen.findByText(/^a\.db\.age, 6/)).toBeTruthy();
    fireEvent.click(check);
    expect(await screen.findByText('The passphrase or key does not open this backup.')).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Passphrase or key'), { target: { value: 'the good one' } });
    fireEvent.click(screen.getByRole('button', { name: 'Check the backup' }));
    expect(await screen.findByText(READ_WHOLE)).toBeTruthy();
    expect(asked).toEqual(['', '/piece?at=0&size=6', '/check', '/check']);
    expect(screen.getByText('7')).toBeTruthy();
    expect(screen.queryByText(/registered on this/)).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Choose another backup' }));
    expect(await screen.findByText(/^a\.db\.age, 6/)).toBeTruthy();
  } finally {
    fetching.mockRestore();
  }
});

test('accounts that the backup replaces are named, also those created just before confirmation', async () => {
  const bodies: unknown[] = [];
  const one = { ...READY, accountsHere: 1, namesHere: ['zoe'] };
  const many = { ...READY, accountsHere: 22, namesHere: ['zoe', 'max'] };
  const views = [one, many];
  const fetching = spyOn(globalThis, 'fetch').mockImplementation((async (url: string, init?: RequestInit) => {
    if (!url.endsWith('/apply')) return Response.json(views.shift() ?? many);
    bodies.push(init?.body);
    return Response.json({ error: 'Another account was registered on this server.' }, { status: 409 });
  }) as unknown as typeof fetch);
  try {
    render(<RestorePage />);
    expect(
      await screen.findByText(
        /^1 account already registered on this server will be removed.*: zoe\. The current/,
      ),
    ).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Restore and restart' }));
    expect(await screen.findByText(/^22 accounts already registered.*: zoe, max and 20 more\./)).toBeTruthy();
    expect(await screen.findByText('Another account was registered on this server.')).toBeTruthy();
    expect(bodies).toEqual(['{"accountsHere":1}']);
  } finally {
    fetching.mockRestore();
  }
});
