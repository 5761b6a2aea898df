import { beforeEach, describe, expect, test } from 'bun:test';
import { callCorrections } from '#src/tables/callSchema.ts';
import { calls, users } from '#platform/db/schema.ts';
import { accountKey } from '#subjects/accounts/rules/accountRules.ts';
import { board, end, list, submit, trade } from '#support/callsApp.ts';
import { checked, ledgerOf, eventLines, unrecordedCalls } from '#support/ledgerFixture.ts';
import { PASSWORD, type TestApp } from '#support/testApp.ts';
import { eachApp } from '#support/eachApp.ts';

const kinds = (app: TestApp): string[] => eventLines(app.db.$client).map(({ kind }) => kind);
const last = (app: TestApp) => eventLines(app.db.$client).at(-1);

const app = eachApp();
beforeEach(() => list(app));

describe('each event is an entry, written in the same transaction', () => {
  test('for a call that is posted, entered, reaches its target and its stop, and is closed', async () => {
    const call = await submit(app);
    for (const price of [40, 45, 37, 48]) trade(app, 'BHP', price);
    await end(app, call, 'close');
    trade(app, 'BHP', 49);
    expect(kinds(app)).toEqual(['posted', 'entered', 'target', 'stop', 'closed']);
    expect(eventLines(app.db.$client)[0]).toMatchObject({
      number: 1,
      call,
      symbol: 'BHP',
      source: 'hand',
      type: 'bought',
      entry: 40,
      target: 44,
      stopType: 'HARD',
      stop: 38,
      priceThen: 40,
      rationale: null,
      previous: '0'.repeat(64),
    });
    expect(eventLines(app.db.$client)[0]).not.toHaveProperty('short');
    expect(eventLines(app.db.$client)[3]).toMatchObject({
      price: 37,
      level: 38,
      at: expect.any(String) as string,
    });
    expect(last(app)).toMatchObject({ pocketed: 0, awaitsExit: false, result: -7.5 });
    expect(unrecordedCalls(app.db.$client)).toEqual([]);
  });

  test('for an implausible gain that waits for review and is rejected by an administrator', async () => {
    const call = await submit(app);
    trade(app, 'BHP', 40);
    const body = { pocketedValue: 9_000_000 };
    await app.request('POST', `/api/calls/${call}/close`, { as: 'free', body });
    const url = `/api/admin/calls/${call}/admin-status`;
    await app.request('POST', url, { as: 'admin', body: { adminStatus: 'rejected' } });
    await app.request('POST', url, { as: 'admin', body: { adminStatus: 'rejected' } });
    expect(kinds(app)).toEqual(['posted', 'entered', 'closed', 'moderated', 'moderated']);
    expect(eventLines(app.db.$client)[3]).toMatchObject({ from: 'normal', to: 'review', by: 'rules' });
    expect(last(app)).toMatchObject({ from: 'review', to: 'rejected', by: 'administrator' });
    expect(unrecordedCalls(app.db.$client)).toEqual([]);
  });

  test('for each corrected mark, with the hash of the reason and its text', async () => {
    const call = await submit(app);
    for (const price of [40, 45, 40]) trade(app, 'BHP', price);
    const body = { reason: 'The print of 45 was cancelled.', marks: { targetReached: null, best: 40 } };
    await app.request('POST', `/api/admin/calls/${call}/corrections`, { as: 'admin', body });
    expect(kinds(app)).toEqual(['posted', 'entered', 'target', 'corrected', 'corrected']);
    const rows = await ledgerOf(app);
    expect(checked(rows)).toMatchObject({ fault: null, opened: 3 });
    expect(rows.at(-1)?.openings).toMatchObject([{ of: 'reason', text: body.reason }]);
    expect(rows.map(({ line }) => line).join('')).not.toContain('cancelled.');
    trade(app, 'BHP', 46);
    expect(last(app)).toMatchObject({ kind: 'target', price: 46 });
  });
});

test('an event and its entry are written together or not at all', async () => {
  app.db.$client.run(
    `CREATE TRIGGER full BEFORE INSERT ON call_ledger BEGIN SELECT RAISE(ABORT, 'full'); END`,
  );
  const refused = await app.request('POST', '/api/calls', {
    as: 'free',
    body: { symbol: 'BHP', callType: 'bought', entryPrice: 40, targetPrice: 44 },
  });
  expect(refused.status).toBe(500);
  expect(app.db.select().from(calls).all()).toEqual([]);
  app.db.$client.run('DROP TRIGGER full');
  await submit(app);
  app.db.$client.run(
    `CREATE TRIGGER full BEFORE UPDATE OF highest ON calls BEGIN SELECT RAISE(ABORT, 'full'); END`,
  );
  trade(app, 'BHP', 45);
  expect(kinds(app)).toEqual(['posted']);
  app.db.$client.run('DROP TRIGGER full');
  app.tick.run();
  expect(kinds(app)).toEqual(['posted', 'entered', 'target']);
  expect(unrecordedCalls(app.db.$client)).toEqual([]);
});

test('refuses an entry outside of a transaction, because a kill could separate it from its event', async () => {
  await submit(app);
  const [row] = app.db.select().from(calls).all();
  if (!row) throw new Error('The call was not kept.');
  const { ledger } = app.parts.calls.service;
  expect(() => ledger.changed(row, { ...row, adminStatus: 'rejected' }, 'rules')).toThrow('transaction');
});

describe('the person behind a call', () => {
  /** All content of the ledger’s tables and responses. */
  const everything = async (app: TestApp): Promise<string> =>
    [
      ...(await ledgerOf(app)).map((row) => JSON.stringify(row)),
      (await app.request('GET', '/api/calls/ledger/file')).text,
      JSON.stringify(app.db.$client.query('SELECT * FROM call_ledger').all()),
      JSON.stringify(app.db.$client.query('SELECT * FROM call_ledger_people').all()),
    ].join('\n');

  test('is removed when the account is deleted, and the chain still verifies', async () => {
    const annaBee = await app.addUser('Annabelle');
    const as = { token: await app.tokenOf(annaBee) };
    const body = {
      symbol: 'BHP',
      callType: 'bought',
      entryPrice: 40,
      targetPrice: 44,
      rationale: 'Lives in Yass',
    };
    expect((await app.request('POST', '/api/calls', { as, body })).status).toBe(200);
    expect(await everything(app)).toContain('Annabelle');
    expect(await everything(app)).toContain('Lives in Yass');
    const { salt } =
      app.db.$client.query<{ salt: string }, []>('SELECT salt FROM call_ledger_people').get() ?? {};
    const gone = await app.request('POST', '/api/settings/delete-account', {
      as,
      body: { password: PASSWORD },
    });
    expect(gone.status).toBe(200);
    expect(kinds(app)).toEqual(['posted', 'deleted']);
    expect(last(app)?.['submitter']).toBe(eventLines(app.db.$client)[0]?.['submitter']);
    const after = await everything(app);
    for (const hidden of ['Annabelle', 'annabelle', 'Former', 'Yass', salt as string])
      expect(after).not.toContain(hidden);
    expect((await board(app)).calls).toMatchObject([{ symbol: 'BHP', rationale: null }]);
    expect(app.db.select().from(calls).all()).toMatchObject([{ rationale: null, rationaleSalt: null }]);
    trade(app, 'BHP', 45);
    expect(kinds(app)).toEqual(['posted', 'deleted', 'entered', 'target']);
    expect(checked(await ledgerOf(app))).toMatchObject({ fault: null, opened: 0 });
  });

  test('gets a new entry after a rename, at the next call or start, without the old name', async () => {
    await submit(app);
    const rename = (name: string) =>
      app.db
        .update(users)
        .set({ username: name, usernameKey: accountKey(name) })
        .run();
    rename('Zoe');
    await submit(app);
    expect(kinds(app)).toEqual(['posted', 'renamed', 'posted']);
    rename('Yara');
    app.parts.calls.service.resume();
    app.parts.calls.service.resume();
    expect(kinds(app)).toEqual(['posted', 'renamed', 'posted', 'renamed']);
    const rows = await ledgerOf(app);
    expect(checked(rows).fault).toBeNull();
    expect(rows.flatMap(({ openings }) => openings.map(({ text }) => text))).toEqual(['Yara']);
  });

  test('has a rationale that is hidden while the call is rejected', async () => {
    const call = await submit(app, 'free', { rationale: 'Rude words' });
    await app.request('POST', `/api/admin/calls/${call}/admin-status`, {
      as: 'admin',
      body: { adminStatus: 'rejected' },
    });
    expect(await everything(app)).not.toContain('Rude words');
    expect(checked(await ledgerOf(app)).fault).toBeNull();
  });

  test('cannot change a text in the database unnoticed', async () => {
    await submit(app, 'free', { rationale: 'Bounce off 38' });
    app.db.update(calls).set({ rationale: 'I said so' }).run();
    expect(checked(await ledgerOf(app)).fault).toMatchObject({ number: 1, of: 'rationale' });
    expect(app.db.select().from(callCorrections).all()).toEqual([]);
  });
});
