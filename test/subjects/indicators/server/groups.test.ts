import { describe, expect } from 'bun:test';
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
  ]);
});
