import { beforeEach, describe, expect, test } from 'bun:test';
import { eq, gt } from 'drizzle-orm';
import { announcementSummaries } from '#src/tables/marketSchema.ts';
import { modelUse } from '#src/tables/userSchema.ts';
import { openMemoryDb } from '#support/memoryDb.ts';
import { users } from '#platform/db/schema.ts';
import { textPdf } from '#support/pdf.ts';
import { summaryFixture } from '#support/summaryFixture.ts';
import { START } from '#support/testApp.ts';
import { waitUntil } from '#support/waitUntil.ts';
import { nextResetAt } from '#subjects/model/rules/dailyLimit.ts';
import { AppError } from '#platform/http/errors.ts';
import { eachApp } from '#support/eachApp.ts';
import { eachTest } from '#support/eachTest.ts';

describe('a run', () => {
  const SUMMARY = 'Iron ore production rose 8 % to 64.2 million tonnes in the quarter, and guidance is kept.';

  const fixture = eachTest(() => summaryFixture());
  beforeEach(async () => fixture.model.reply(SUMMARY));

  const rows = () => fixture.test.db.select().from(announcementSummaries).all();
  const uses = () => fixture.test.db.select().from(modelUse).all();
  /** The prompt and completion tokens of a user. */
  const tokens = (id: number) => {
    const row = fixture.test.db.select().from(users).where(eq(users.id, id)).get();
    return [row?.promptTokens, row?.completionTokens];
  };
  /** Waits until the model has received `count` requests in total. */
  const asked = (count: number) =>
    waitUntil('the request to the model', () => fixture.model.requests.length === count);

  test('reads the document, and its summary reaches the record with its time', async () => {
    fixture.documents.answers.set(
      '/a.pdf',
      () => new Response(textPdf(['Iron ore rose 8 percent to 64.2 Mt.', 'Guidance for the year is kept.'])),
    );
    fixture.release({ document: `${fixture.documents.url}/a.pdf`, headline: 'Quarterly report' });
    await fixture.summarise('basic');
    expect(await fixture.settled()).toMatchObject({
      summary: SUMMARY,
      summary_of: 'doc-1',
      summary_note: null,
      summary_generated_at: '2026-11-18T00:00:00.000Z',
    });
    const [system, user] = fixture.model.requests[0]?.messages ?? [];
    expect(system?.content).not.toContain('Quarterly');
    expect(user?.content).toContain('Company: BHP Ltd');
    // The fence has a mark that the document cannot know.
    expect(user?.content.match(/^<\/?document [^>\n]{20,200}>$/gm)).toHaveLength(2);
    expect(user?.content).toContain('Iron ore rose 8 percent to 64.2 Mt.\nGuidance for the year is kept.');
    expect(rows()).toEqual([
      {
        source: 'hand',
        announcementId: 'doc-1',
        code: 'BHP',
        date: '2026-11-18',
        text: SUMMARY,
        note: null,
        model: 'm',
        createdAt: fixture.clock.now(),
      },
    ]);
    const user1 = await fixture.test.user('basic');
    expect(uses()).toEqual([{ userId: user1.id, date: '2026-11-18', summaries: 1, questions: 0 }]);
    expect(tokens(user1.id)).toEqual([100, 20]);
  });

  test('is shared by all users of a document, and counts for the first', async () => {
    fixture.release();
    const release = fixture.model.hold();
    const answers = [await fixture.summarise('basic')];
    answers.push(...(await Promise.all([fixture.summarise('premium'), fixture.summarise('admin')])));
    expect(answers.map(({ json }) => json)).toMatchObject(answers.map(() => ({ state: 'running' })));
    release();
    await fixture.settled();
    expect(fixture.model.requests.length).toBe(1);
    expect(uses()).toMatchObject([{ userId: (await fixture.test.user('basic')).id, summaries: 1 }]);
    expect((await fixture.summarise('premium')).json).toEqual({
      success: true,
      state: 'ready',
      summary: SUMMARY,
      message: 'The summary is ready.',
    });
    expect(fixture.model.requests.length).toBe(1);
    expect(uses().length).toBe(1);
  });

  test('may have two others in the queue, and refuses more', async () => {
    for (const code of ['BHP', 'CBA', 'FMG', 'RIO']) fixture.release({ code });
    const release = fixture.model.hold();
    const states = [];
    for (const [code, as] of [
      ['BHP', 'premium'],
      ['CBA', 'premium'],
      ['FMG', 'admin'],
    ] as const)
      states.push((await fixture.summarise(as, code)).json);
    expect(states).toMatchObject([{ state: 'running' }, { state: 'queued' }, { state: 'queued' }]);
    expect((await fixture.summarise('basic', 'CBA')).json).toMatchObject({ state: 'queued' });
    const refused = await fixture.summarise('basic', 'RIO');
    expect([refused.status, refused.json, refused.headers.get('retry-after')]).toEqual([
      429,
      { error: 'Two summaries are already waiting. Try again in half a minute.' },
      '30',
    ]);
    expect((await fixture.summarise('premium', 'RIO')).json).toEqual({
      error: 'Two of your summaries are already being written. Try again in half a minute.',
    });
    await asked(1);
    expect(fixture.model.open()).toBe(1);
    release();
    for (const code of ['BHP', 'CBA', 'FMG'])
      expect(await fixture.settled(code)).toMatchObject({ summary: SUMMARY });
    expect((await fixture.summarise('basic', 'RIO')).json).toMatchObject({ state: 'running' });
    await fixture.settled('RIO');
  });

  test('keeps its summary if a more important announcement arrives, and the button returns', async () => {
    fixture.release();
    const release = fixture.model.hold();
    await fixture.summarise('basic');
    await asked(1);
    fixture.release({ headline: 'Takeover bid' });
    release();
    await waitUntil('the stored summary', () => rows().length === 1);
    expect(fixture.day()).toMatchObject({ summary: null, summary_note: null });
    expect((await fixture.summarise('basic')).json).toMatchObject({ state: 'running' });
    expect(await fixture.settled()).toMatchObject({ summary: SUMMARY, summary_of: 'doc-2' });
    fixture.withdraw(['doc-2']);
    expect((await fixture.summarise('basic')).json).toMatchObject({ state: 'ready' });
    expect(await fixture.settled()).toMatchObject({ summary: SUMMARY, summary_of: 'doc-1' });
  });

  test('interrupted by a server stop is not a failure, and can be repeated after the start', async () => {
    const db = openMemoryDb();
    const first = await summaryFixture({ db });
    first.release();
    first.model.reply({ kind: 'hang' });
    await first.summarise('basic');
    await waitUntil('the request to the model', () => first.model.requests.length === 1);
    await first.close();
    // Tokens already read by the model are billed.
    const [asker] = db.select().from(users).where(gt(users.promptTokens, 0)).all();
    expect(asker?.subscriptionType).toBe('basic');
    expect(db.select().from(announcementSummaries).all()).toEqual([]);
    expect(db.select().from(modelUse).all()).toEqual([]);

    const second = await summaryFixture({ db });
    second.model.reply(SUMMARY);
    const { token } = await second.test.parts.accounts.service
      .openSession(await second.test.addUser('second', { subscriptionType: 'basic' }))
      .then(({ accessToken }) => ({ token: accessToken }));
    expect((await second.summarise({ token })).json).toMatchObject({ state: 'running' });
    await second.settled();
    await second.close();

    const third = await summaryFixture({ db });
    third.test.tick.run();
    expect(third.day()).toMatchObject({ summary: SUMMARY, summary_of: 'doc-1' });
    await third.close();
    db.$client.close();
  });
});

describe('the daily limits', () => {
  const HOUR = 3_600_000;
  const TOKENS = { promptTokens: 1000, completionTokens: 50 };

  const app = eachApp();

  const use = () => app.parts.modelUse.service;
  const refusal = (work: () => void): AppError | null => {
    try {
      work();
      return null;
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
  };

  test.each([
    ['free', 0, 0],
    ['basic', 20, 0],
    ['premium', 200, 50],
    ['admin', 200, 200],
  ] as const)('%s: %d summaries, %d questions', async (role, summaries, questions) => {
    const user = await app.user(role);
    for (const [kind, limit] of [
      ['summary', summaries],
      ['question', questions],
    ] as const) {
      for (let at = 0; at < limit; at += 1) {
        expect(refusal(() => use().admit(user, kind))).toBeNull();
        use().count(user.id, kind, TOKENS);
      }
      expect(refusal(() => use().admit(user, kind))?.status).toBe(429);
    }
  });

  test('include running requests; a failed one counts only its tokens', async () => {
    const user = await app.user('basic');
    use().count(user.id, 'summary', TOKENS, 'failed');
    expect(refusal(() => use().admit(user, 'summary', 19))).toBeNull();
    expect(refusal(() => use().admit(user, 'summary', 20))?.status).toBe(429);
    const row = app.db.select().from(users).where(eq(users.id, user.id)).get();
    expect(row).toMatchObject(TOKENS);
  });

  test('reset at midnight in Sydney, even when its clocks change', () => {
    expect(new Date(nextResetAt(START)).toISOString()).toBe('2026-11-18T13:00:00.000Z');
    // The last hour before, and a day of 25 hours.
    expect(nextResetAt(START + 13 * HOUR - 1)).toBe(START + 13 * HOUR);
    const before = Date.parse('2027-04-03T13:00:00Z');
    expect((nextResetAt(before) - before) / HOUR).toBe(25);
  });
});
