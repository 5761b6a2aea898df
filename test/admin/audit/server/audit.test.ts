import { describe, expect, test } from 'bun:test';
import { list, submit, trade } from '#support/callsApp.ts';
import { scenarios } from '#support/scenario.ts';
import { START } from '#support/testApp.ts';
import { differences } from '#admin/audit/answers/audit.ts';
import { eachApp } from '#support/eachApp.ts';

type Entry = { id: number; action: string; target: string; [member: string]: unknown };
type Page = {
  entries: Entry[];
  next: number | null;
  actions: string[];
  administrators: { id: number; display: string }[];
};

const app = eachApp();

const read = async (query = ''): Promise<Page> =>
  (await app.request('GET', `/api/admin/audit${query}`, { as: 'admin' })).json as Page;
const record = (userId: number | null, target: string, action: 'edit user' | 'clear log') =>
  app.parts.audit.service.record({ userId, action, target });

describe('GET /api/admin/audit', () => {
  const base = { method: 'GET', url: '/api/admin/audit' } as const;
  scenarios([
    {
      ...base,
      name: 'administrator, before any action',
      as: 'admin',
      status: 200,
      json: { entries: [], next: null, actions: [], administrators: [] },
    },
    { ...base, url: `${base.url}?before=0`, name: 'a missing page', as: 'admin', status: 400 },
    { ...base, url: `${base.url}?by=x`, name: 'a missing administrator', as: 'admin', status: 400 },
  ]);

  test('is paged, newest first even if the clock stepped back, and filtered', async () => {
    const { id } = await app.user('admin');
    for (let index = 1; index <= 120; index += 1) {
      app.clock.set(START - index * 1000);
      record(index % 2 ? id : null, `thing ${index}`, index % 3 ? 'edit user' : 'clear log');
    }
    const seen: string[] = [];
    let page = await read();
    expect(page.entries).toHaveLength(50);
    for (;;) {
      seen.push(...page.entries.map(({ target }) => target));
      if (page.next === null) break;
      page = await read(`?before=${page.next}`);
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => `thing ${120 - index}`));
    expect(page).toMatchObject({
      actions: ['clear log', 'edit user'],
      administrators: [{ id, display: 'admin' }],
    });
    const cleared = await read('?action=clear%20log');
    expect(cleared.entries).toHaveLength(40);
    const byServer = await read('?by=0&action=clear%20log');
    expect(byServer.entries.map(({ target }) => target).slice(0, 2)).toEqual(['thing 120', 'thing 114']);
    expect((await read(`?by=${id}&action=clear%20log`)).entries).toHaveLength(20);
  });
});

describe('cannot be edited', () => {
  test.each([
    "UPDATE audit_entries SET target = 'another'",
    'DELETE FROM audit_entries',
    "INSERT OR REPLACE INTO audit_entries (id, at, action, target) VALUES (1, 0, 'x', 'another')",
  ])('the database refuses %s', async (statement) => {
    record((await app.user('admin')).id, 'the first', 'edit user');
    expect(() => app.db.$client.run(statement)).toThrow(/audit entries are never/);
    expect((await read()).entries.map(({ target }) => target)).toEqual(['the first']);
  });

  test('keeps an administrator who is named in it from being deleted', async () => {
    const { id } = await app.user('admin');
    record(id, 'the first', 'edit user');
    expect(() => app.db.$client.run('DELETE FROM users WHERE id = ?', [id])).toThrow(/FOREIGN KEY/);
  });
});

test('the audit records moderation and correction of calls, but not changes without effect', async () => {
  list(app);
  const publicId = await submit(app);
  trade(app, 'BHP', 41);
  const moderate = (adminStatus: string) =>
    app.request('POST', `/api/admin/calls/${publicId}/admin-status`, { as: 'admin', body: { adminStatus } });
  await moderate('normal');
  await moderate('rejected');
  expect((await moderate('rejected')).status).toBe(200);
  const corrected = await app.request('POST', `/api/admin/calls/${publicId}/corrections`, {
    as: 'admin',
    body: { reason: 'A bad print.', marks: { best: 40.5 } },
  });
  expect(corrected.status).toBe(200);
  const { entries } = await read();
  expect(entries).toMatchObject([
    {
      action: 'correct call',
      target: `BHP by free (${publicId})`,
      before: { best: 41 },
      after: { best: 40.5 },
      reason: 'A bad print.',
    },
    {
      action: 'moderate call',
      target: `BHP by free (${publicId})`,
      before: { adminStatus: 'normal' },
      after: { adminStatus: 'rejected' },
      reason: null,
    },
  ]);
});

describe('the differences between two values', () => {
  test('name the words of the path and leave out equal members', () => {
    const before = { adminStatus: 'review', plan: { telegramId: null, sent_daily: 1 }, same: [1, 2] };
    const after = { adminStatus: 'rejected', plan: { telegramId: '4711', sent_daily: 1 }, same: [1, 2] };
    expect(differences(before, after)).toEqual({
      shown: [
        { what: 'admin status', before: 'review', after: 'rejected' },
        { what: 'plan › telegram id', before: '–', after: '4711' },
      ],
      more: 0,
    });
  });

  test('are the whole value if there is only one', () => {
    expect(differences(null, { name: 'News', subscribed: true }).shown).toEqual([
      { what: 'name', before: null, after: 'News' },
      { what: 'subscribed', before: null, after: 'true' },
    ]);
    expect(differences({ name: 'News' }, null).shown).toEqual([
      { what: 'name', before: 'News', after: null },
    ]);
    expect(differences(null, null).shown).toEqual([]);
    expect(differences('a', 'b').shown).toEqual([{ what: '', before: 'a', after: 'b' }]);
  });

  test('are limited in number and length', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`k${index}`, 'x'.repeat(1000)]),
    );
    const { shown, more } = differences(null, wide);
    expect([shown.length, more]).toEqual([40, 60]);
    expect(shown[0]?.after).toHaveLength(301);
    let deep: unknown = 'end';
    for (let level = 0; level < 100; level += 1) deep = { deep };
    expect(differences(null, deep).shown).toHaveLength(1);
  });
});
