import { describe, expect, test } from 'bun:test';
import { aRelease, createHandAnnouncements } from '../../../support/handAnnouncements.ts';
import { openAnnouncements } from '../../../support/announcementStage.ts';
import { createTestApp, ROLES } from '../../../support/testApp.ts';

const UPDATE = '/api/data/news/update';
const SEARCH = '/api/data/news/search';
const ON_THE_WAY = { success: true, message: 'Updates appear within a few seconds.' };

const open = (answer?: () => Promise<string | null>) => {
  const news = createHandAnnouncements(answer ? { answer } : {});
  const stage = openAnnouncements({ news });
  stage.list('BHP', 'RIO');
  stage.news.give([aRelease('a', { headline: 'Annual Report' })]);
  stage.tick.run();
  return stage;
};

describe('news by caller', () => {
  for (const role of ROLES) {
    const isGuest = role === 'guest';
    test(`${role}: ${isGuest ? 'has to log in' : 'may look for announcements and search them'}`, async () => {
      const stage = open();
      const update = await stage.request('POST', UPDATE, { as: role, body: { symbol: ' bhp ' } });
      const search = await stage.request('GET', `${SEARCH}?q=annual`, { as: role });
      expect([update.status, search.status]).toEqual(isGuest ? [401, 401] : [200, 200]);
      if (!isGuest) expect(update.json).toEqual(ON_THE_WAY);
      expect(stage.news.asked).toEqual(isGuest ? [] : ['BHP']);
      stage.close();
    });
  }
});

describe('POST /data/news/update', () => {
  const update = (stage: ReturnType<typeof open>, symbol: string, as: 'free' | 'basic' = 'free') =>
    stage.request('POST', UPDATE, { as, body: { symbol } });

  test('asks the source once in 30 s for a symbol, whoever asks; all get the same answer', async () => {
    const stage = open();
    const answers = await Promise.all([
      update(stage, 'BHP'),
      update(stage, 'bhp', 'basic'),
      update(stage, 'BHP'),
    ]);
    stage.clock.advance(29_999);
    answers.push(await update(stage, 'BHP', 'basic'));
    expect(answers.map(({ status, json }) => ({ status, json }))).toEqual(
      answers.map(() => ({ status: 200, json: ON_THE_WAY })),
    );
    expect(stage.news.asked).toEqual(['BHP']);
    await update(stage, 'RIO');
    stage.clock.advance(1);
    await update(stage, 'BHP');
    expect(stage.news.asked).toEqual(['BHP', 'RIO', 'BHP']);
    stage.close();
  });

  test('the wall clock, set back, holds nothing for longer', async () => {
    const stage = open();
    await update(stage, 'BHP');
    stage.clock.set(stage.clock.now() - 3_600_000);
    stage.clock.advance(30_000);
    await update(stage, 'BHP');
    expect(stage.news.asked).toHaveLength(2);
    stage.close();
  });

  test('says why the source can not be asked, to everybody for 30 s', async () => {
    const stage = open(async () => 'ASX is asked too often. Try again in 12 seconds.');
    for (const as of ['free', 'basic'] as const) {
      const answer = await update(stage, 'BHP', as);
      expect(answer.status).toBe(503);
      expect(answer.json).toEqual({ error: 'ASX is asked too often. Try again in 12 seconds.' });
      expect(answer.headers.get('retry-after')).toBe('30');
    }
    expect(stage.news.asked).toEqual(['BHP']);
    stage.close();
  });

  test('a source that throws is a fault that is logged, and a sentence for the caller', async () => {
    const stage = open(() => Promise.reject(new Error('boom')));
    const answer = await update(stage, 'BHP');
    expect([answer.status, answer.text]).toEqual([503, expect.stringContaining('could not be asked')]);
    expect(answer.text).not.toContain('boom');
    expect(JSON.stringify(stage.lines)).toContain('Announcements of a stock could not be asked for');
    stage.close();
  });

  test('refuses what is not listed, and bodies of another form', async () => {
    const stage = open();
    expect((await update(stage, 'NOPE')).json).toEqual({
      error: 'Select a symbol from the live list',
      field: 'symbol',
    });
    for (const body of [{}, { symbol: 7 }, { symbol: 'x'.repeat(1000) }, []]) {
      const answer = await stage.request('POST', UPDATE, { as: 'free', body });
      expect(answer.status).toBe(400);
    }
    expect(stage.news.asked).toEqual([]);
    stage.close();
  });

  test('a person asks at most 30 times a minute', async () => {
    const stage = open();
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) statuses.push((await update(stage, 'BHP')).status);
    expect([statuses.slice(0, 30).every((status) => status === 200), statuses[30]]).toEqual([true, 429]);
    expect((await update(stage, 'BHP', 'basic')).status).toBe(200);
    stage.close();
  });
});

describe('GET /data/news/search', () => {
  const search = (stage: ReturnType<typeof open>, query: string) =>
    stage.request('GET', `${SEARCH}?${query}`, { as: 'free' });

  test('answers with what was found', async () => {
    const stage = open();
    const { json } = await search(stage, 'q=annual&symbol=BHP&date=2026-11-18&limit=5');
    expect(json).toEqual({
      announcements: [
        {
          id: 'a',
          code: 'BHP',
          headline: 'Annual Report',
          url: 'https://example.test/a',
          time: '2026-11-17T23:30:00.000Z',
          isPriceSensitive: false,
          announcementTypes: ['Progress Report'],
        },
      ],
    });
    expect((await search(stage, '')).json).toEqual(json);
    stage.close();
  });

  test('refuses by sentences what can not be', async () => {
    const stage = open();
    const refused = {
      'q=x': 'Search with 2 to 80 characters.',
      [`q=${'x'.repeat(81)}`]: 'Search with 2 to 80 characters.',
      [`q=${'x'.repeat(5000)}`]: 'Search with 2 to 80 characters.',
      'date=18/11/2026': 'A date is written as YYYY-MM-DD.',
      'date=2026-13-01': 'A date is written as YYYY-MM-DD.',
      'limit=0': 'The limit is a whole number from 1 to 50.',
      'limit=51': 'The limit is a whole number from 1 to 50.',
      'limit=many': 'The limit is a whole number from 1 to 50.',
      [`symbol=${'x'.repeat(41)}`]: 'That is no stock code.',
    };
    for (const [query, error] of Object.entries(refused)) {
      const answer = await search(stage, query);
      expect({ query, status: answer.status, json: answer.json }).toMatchObject({
        query,
        status: 400,
        json: { error },
      });
    }
    stage.close();
  });
});

test('where announcements are off the routes say so, and nothing is found', async () => {
  const app = createTestApp({ env: { BELLBIRD_NEWS: 'off' } });
  app.parts.announcements.start();
  app.source.give([{ code: 'BHP', last: 1 }]);
  const update = await app.request('POST', UPDATE, { as: 'free', body: { symbol: 'BHP' } });
  expect([update.status, update.text]).toEqual([400, expect.stringContaining('BELLBIRD_NEWS is off')]);
  expect((await app.request('GET', SEARCH, { as: 'free' })).json).toEqual({ announcements: [] });
  expect(app.parts.announcements.service.info()).toBeNull();
  app.close();
});
