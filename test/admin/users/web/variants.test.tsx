import { afterEach, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import type { ReactElement } from 'react';
import { CallReview } from '../../../../src/admin/callReview/web/CallReview.tsx';
import { Logs } from '../../../../src/admin/logs/web/Logs.tsx';
import { AllUsers } from '../../../../src/admin/users/web/AllUsers.tsx';
import { EditUserDialog } from '../../../../src/admin/users/web/EditUserDialog.tsx';
import { endSession, startSession } from '../../../../src/subjects/accounts/web/shared/session/session.ts';
import { fakeApi } from '../../../support/fakeApi.ts';
import { OWN_ANSWERS, SPECIFIED_ANSWERS } from '../../../support/specifiedAnswers.ts';
import { memberVariants, type Variant, wholeVariants } from '../../../support/variants.ts';

const RUNS = 10;
setDefaultTimeout(240_000);

let server: ReturnType<typeof fakeApi>;
let complaints: ReturnType<typeof spyOn<Console, 'error'>>;
beforeEach(() => {
  server = fakeApi(
    Object.fromEntries(Object.entries(SPECIFIED_ANSWERS).map(([name, body]) => [name, { body }])),
  );
  complaints = spyOn(console, 'error').mockImplementation(() => {});
  startSession({ accessToken: 't', accessLevel: 4 });
});
afterEach(() => {
  cleanup();
  endSession();
  server.restore();
  complaints.mockRestore();
});

const SECTIONS: [keyof typeof SPECIFIED_ANSWERS & keyof typeof OWN_ANSWERS, () => ReactElement][] = [
  ['GET /api/calls/leaderboard', () => <CallReview />],
  ['GET /api/admin/users', () => <AllUsers />],
  ['GET /api/admin/audit', () => <AllUsers />],
  ['GET /api/admin/users/7', () => <EditUserDialog userId={7} onClose={() => {}} onSaved={() => {}} />],
  ['GET /api/admin/logs', () => <Logs />],
  ['GET /api/admin/logs/bellbird.log/tail', () => <Logs />],
];

describe('an answer of another version leaves the section standing', () => {
  test.each(SECTIONS)('%s', async (name, section) => {
    const attempt = async ({ name: variant, answer }: Variant) => {
      server.answers[name] = { body: answer };
      render(section());
      await waitFor(() => expect(document.querySelector('.skeleton') === null).toBe(true));
      // A list that is nothing like it is said to be is empty, or a failure: never a broken page.
      expect([variant, ...complaints.mock.calls.map(String)]).toEqual([variant]);
      cleanup();
    };
    for (const form of [SPECIFIED_ANSWERS[name], OWN_ANSWERS[name]]) {
      for (const variant of wholeVariants(form)) await attempt(variant);
      await fc.assert(fc.asyncProperty(memberVariants(form), attempt), { numRuns: RUNS });
    }
  });

  test('with just the members that the specification names there are users, logs and their text', async () => {
    render(<AllUsers />);
    expect((await screen.findByRole('table', { name: 'All users' })).textContent).toContain(
      'maggie@example.com',
    );
    expect((await screen.findByRole('table', { name: 'Audit' })).textContent).toContain('The server');
    cleanup();
    render(<Logs />);
    expect((await screen.findByRole('region', { name: 'Lines of bellbird.log' })).textContent).toBe(
      'one\ntwo\n',
    );
  });
});
