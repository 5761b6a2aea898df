import { describe, expect } from 'bun:test';
import { eq } from 'drizzle-orm';
import { indicatorScans, users } from '../../../../src/platform/db/schema.ts';
import { RSI } from '../../../support/conditions.ts';
import { scenarios } from '../../../support/scenario.ts';

const volume = { lhs: { type: 'field', key: 'volume' }, op: '>', rhs: { type: 'number', value: 100_000 } };
const weak = { lhs: RSI, op: '<', rhs: { type: 'number', value: 30 } };
const sector = {
  lhs: { type: 'field', key: 'sector' },
  op: '==',
  rhs: { type: 'text', values: ['Energy', 'Materials'] },
};
const GROUPED = { op: 'AND', conditions: [sector, { op: 'OR', conditions: [volume, weak] }] };
const OLD = { op: 'AND', conditions: [volume, weak] };

const scans = { url: '/api/indicators/scans', as: 'free' } as const;

describe('scans with groups', () => {
  scenarios([
    {
      ...scans,
      method: 'POST',
      name: 'are saved and given back as they were sent, and what they read is in use',
      body: { name: 'Any', logic: GROUPED },
      status: 200,
      after: async (app) => {
        const { json } = await app.request('GET', scans.url, { as: 'free' });
        expect(json).toMatchObject({ scans: [{ name: 'Any', logic: GROUPED, problem: null }] });
        expect(app.parts.indicators.service.demand.current()).toHaveLength(1);
      },
    },
    {
      ...scans,
      method: 'POST',
      name: 'are refused with the place of what is wrong',
      body: {
        name: 'Any',
        logic: { op: 'AND', conditions: [{ op: 'OR', conditions: [volume, { op: '>' }] }] },
      },
      status: 400,
      json: {
        error: 'Condition 2: A condition compares indicators, fields and numbers.',
        field: 'logic.conditions[0].conditions[1].lhs',
      },
    },
    {
      ...scans,
      method: 'GET',
      name: 'stored before there were any are given back as they are',
      setup: async (app) => {
        // The user is made with the first request.
        await app.request('GET', scans.url, { as: 'free' });
        const owner = app.db.select().from(users).where(eq(users.username, 'free')).get();
        if (!owner) throw new Error('The user is not there.');
        app.db
          .insert(indicatorScans)
          .values({ userId: owner.id, name: 'Old', nameKey: 'old', logic: OLD, createdAt: 1, updatedAt: 1 })
          .run();
      },
      status: 200,
      contains: [JSON.stringify(OLD), '"problem":null'],
    },
  ]);
});
