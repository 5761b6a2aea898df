import { expect, test } from 'bun:test';
import { allOf, field, number } from '../../../support/conditions.ts';
import { withListed } from '../../../support/alertsApp.ts';

const LOGIC = allOf({ lhs: field('last'), op: '>', rhs: number(50) });

test('A rehearsal is for those who are signed in', () =>
  withListed(async (app) => {
    const body = { symbol: 'BHP', logic_json: LOGIC };
    expect((await app.request('POST', '/api/alerts/rehearse', { body })).status).toBe(401);
    const answer = await app.request('POST', '/api/alerts/rehearse', { as: 'free', body });
    expect(answer.status).toBe(200);
    // The source was started just now and knows no past.
    expect(answer.json).toEqual({
      minutes: null,
      days: null,
      firings: [],
      perDay: 0,
      busiestDay: 0,
      holdsNow: false,
      tooOften: false,
      notRehearsed: [
        'Too few minute bars are known to test this alert.',
        'Too few daily bars are known to test this alert.',
      ],
    });
  }));

test('What is at fault is named', () =>
  withListed(async (app) => {
    const refused = async (body: unknown) => {
      const { status, json } = await app.request('POST', '/api/alerts/rehearse', { as: 'free', body });
      return [status, (json as { error: string }).error];
    };
    expect(await refused({ symbol: 'XXX', logic_json: LOGIC })).toEqual([
      400,
      'Select a symbol from the live list',
    ]);
    expect(await refused({ symbol: 'BHP', logic_json: allOf() })).toEqual([
      400,
      'An alert needs at least one condition.',
    ]);
    expect((await refused({ logic_json: LOGIC }))[0]).toBe(400);
    expect((await refused({ symbol: 'BHP' }))[0]).toBe(400);
  }));
