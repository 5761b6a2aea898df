import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createListings } from '../../../src/sources/quotes/simulator/listings.ts';
import { recordings } from '../../support/recordedScan.ts';

const DIRECTORY = 'asx-directory/ASX_Listed_Companies_30-06-2026_11-15-18_AEST.csv';

const INVENTED = /^[A-Z][JQXZ][A-Z]$/;

describe('the listings of the simulated market', () => {
  const listings = createListings();
  const share = (keep: (listing: (typeof listings)[number]) => boolean): number =>
    listings.filter(keep).length;

  test('are two thousand with codes and names of their own', () => {
    expect(listings).toHaveLength(2000);
    expect(new Set(listings.map((listing) => listing.code)).size).toBe(2000);
    expect(new Set(listings.map((listing) => listing.name)).size).toBe(2000);
  });

  test('are mixed like the real market', () => {
    const capital = (listing: (typeof listings)[number]): number => (listing.shares ?? 0) * listing.basePrice;
    expect(share((listing) => listing.basePrice < 1) / 2000).toBeCloseTo(0.57, 1);
    expect(share((listing) => capital(listing) >= 1e9)).toBeGreaterThan(220);
    expect(share((listing) => capital(listing) >= 1e9)).toBeLessThan(270);
    expect(share((listing) => listing.kind === 'fund')).toBeGreaterThan(300);
    expect(share((listing) => listing.kind === 'reit')).toBeGreaterThan(30);
    expect(share((listing) => listing.kind === 'cdi')).toBeGreaterThan(30);
    expect(share((listing) => listing.shares === null)).toBeGreaterThan(300);
  });

  test('keep to what a stock may be', () => {
    for (const listing of listings) {
      expect(listing.basePrice).toBeGreaterThan(0.001);
      expect(listing.usualVolume).toBeGreaterThanOrEqual(50);
      expect(listing.sector).not.toBe('');
      expect(['stock', 'fund', 'cdi']).toContain(listing.securityType);
    }
  });

  test.each(recordings())(
    'invented ones use no code and no name of a real company: $name',
    ({ folder, isWhole }) => {
      const rows = readFileSync(join(folder, DIRECTORY), 'utf8').split('\n').slice(1);
      const codes = new Set(rows.map((row) => row.split(',')[0]?.replaceAll('"', '') ?? ''));
      const names = new Set(rows.map((row) => row.split('","')[1]?.replace(/"$/, '').toUpperCase() ?? ''));
      expect(codes.size).toBeGreaterThan(isWhole ? 1800 : 200);
      const invented = listings.filter((listing) => INVENTED.test(listing.code) && !codes.has(listing.code));
      const real = listings.filter((listing) => codes.has(listing.code));
      expect(invented.length).toBeGreaterThan(1700);
      expect(real.length).toBeGreaterThan(150);
      for (const listing of invented) expect(names.has(listing.name.toUpperCase())).toBe(false);
      // Those whose code is real must be the well known ones, not inventions that hit one.
      for (const listing of real.filter((one) => INVENTED.test(one.code)))
        expect(['AZJ', 'BXB', 'CQR', 'CXO', 'DXS', 'GQG', 'MQG', 'NXT', 'PXA']).toContain(listing.code);
    },
  );
});
