import { afterEach, describe, expect, test } from 'bun:test';
import { newsFor } from '../../../src/market/rules/announcements.ts';
import { fromSydney } from '../../../src/market/rules/sydneyTime.ts';
import { isRecord } from '../../../src/lib/json.ts';
import { readList } from '../../../src/lib/read.ts';
import { anItem } from '../../support/asxStage.ts';
import { openProvidedApp, type ProvidedApp } from '../../support/providedApp.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const TODAY = '2026-11-18';
/** Wednesday. */
const NOW = fromSydney(TODAY, 11, 0);
const iso = (time: number): string => new Date(time).toISOString();

let app: ProvidedApp;
afterEach(() => app.end());

const newsOf = (code: string) => newsFor(app.picture.stocks.get(code) ?? {}, TODAY);
const headlines = (code: string): string[] => newsOf(code).todayItems.map(({ headline }) => headline);
const found = async (query: string): Promise<unknown[]> => {
  const { json } = await app.request('GET', `/api/data/news/search?${query}`, { as: 'free' });
  return readList(isRecord(json) ? json['announcements'] : null, (item) => item);
};

describe('the exchange’s announcements on their way to a page', () => {
  test('today’s and those of the previous trading day, corrected and withdrawn', async () => {
    const first = anItem(iso(NOW - HOUR), { headline: 'Trading Halt', isPriceSensitive: true });
    const other = anItem(iso(NOW - 2 * HOUR), { symbol: 'CBA', headline: 'Proxy Form' });
    const earlier = anItem(iso(fromSydney('2026-11-17', 16, 30)), { headline: 'Yesterday it was' });
    app = await openProvidedApp(NOW, ({ asx }) => asx.add(first, other, earlier));
    app.list('BHP', 'CBA');
    await app.pass(SECOND);
    expect(headlines('BHP')).toEqual(['Trading Halt']);
    expect(newsOf('BHP').previousItems.map(({ headline }) => headline)).toEqual(['Yesterday it was']);
    expect(newsOf('BHP').todayItems[0]?.url).toBe(
      `${app.asx.url}/asx-research/1.0/file/${first.documentKey}`,
    );
    expect(app.picture.stocks.get('BHP')?.sensitiveAnnouncements).toBe(1);
    expect(app.picture.meta.announcements).toMatchObject({ label: 'ASX', healthy: true });

    app.asx.add(anItem(iso(NOW + 5 * SECOND), { headline: 'Reinstatement to Quotation' }));
    app.asx.correct(other.documentKey, { headline: 'Proxy Form (corrected)' });
    await app.pass(20 * SECOND);
    expect(headlines('BHP')).toEqual(['Reinstatement to Quotation', 'Trading Halt']);
    expect(headlines('CBA')).toEqual(['Proxy Form (corrected)']);

    app.asx.withdraw(first.documentKey);
    await app.pass(40 * SECOND);
    expect(headlines('BHP')).toEqual(['Reinstatement to Quotation']);
    expect(app.picture.stocks.get('BHP')?.sensitiveAnnouncements ?? 0).toBe(0);
    expect(await found('q=halt')).toEqual([]);
    expect(await found('q=proxy')).toHaveLength(1);
  });

  test('one of a company that is not listed yet waits for its listing', async () => {
    const item = anItem(iso(NOW - HOUR), { symbol: 'NEW', headline: 'Admission to Official List' });
    app = await openProvidedApp(NOW, ({ asx }) => asx.add(item));
    app.list('BHP');
    await app.pass(SECOND);
    expect(app.picture.stocks.has('NEW')).toBe(false);
    expect(await found('symbol=NEW')).toHaveLength(1);
    app.list('NEW');
    await app.pass(SECOND);
    expect(headlines('NEW')).toEqual(['Admission to Official List']);
  });

  test('what fails is said on every page, and what was shown stays', async () => {
    app = await openProvidedApp(NOW, ({ asx }) => asx.add(anItem(iso(NOW - HOUR), { headline: 'It stays' })));
    app.list('BHP');
    app.asx.setFault({ kind: 'html' });
    await app.pass(MINUTE);
    app.list('CBA');
    await app.pass(SECOND);
    expect(app.picture.meta.announcements?.healthy).toBe(false);
    expect(app.picture.meta.announcements?.problem).toStartWith(
      'ASX sent something else than a list of announcements.',
    );
    expect(headlines('BHP')).toEqual(['It stays']);
  });

  test('a page’s refresh asks for the company, and says when it could not', async () => {
    app = await openProvidedApp(NOW, ({ asx }) => asx.add(anItem(iso(NOW - HOUR), { symbol: 'CBA' })));
    app.list('BHP', 'CBA');
    app.asx.add(anItem(iso(NOW - 30 * MINUTE), { headline: 'Found by its company' }));
    const asked = await app.request('POST', '/api/data/news/update', { as: 'free', body: { symbol: 'BHP' } });
    expect(asked.json).toEqual({ success: true, message: 'Updates appear within a few seconds.' });
    await app.pass(0);
    expect(headlines('BHP')).toEqual(['Found by its company']);
    app.asx.setFault({ kind: 'status', status: 403 });
    const refused = await app.request('POST', '/api/data/news/update', {
      as: 'free',
      body: { symbol: 'CBA' },
    });
    expect([refused.status, refused.json]).toEqual([503, { error: 'ASX refuses the request (HTTP 403).' }]);
  });
});

describe('FXStreet’s calendar on its way to a page', () => {
  const item = (id: string, time: number, more: Record<string, unknown> = {}) => ({
    ...{ id, dateUtc: iso(time), name: `Event ${id}`, volatility: 'HIGH', consensus: 1.5, previous: 1.2 },
    ...more,
  });

  test('a figure is there within seconds, and an event that goes is gone', async () => {
    const time = NOW + 10 * MINUTE;
    app = await openProvidedApp(NOW, ({ fxstreet }) => {
      fxstreet.put(item('a', time), item('b', NOW + HOUR, { countryCode: 'EMU', currencyCode: 'EUR' }));
      fxstreet.putAt(
        time + 15 * SECOND,
        item('a', time, { actual: 1.7, revised: 1.1, isBetterThanExpected: true }),
      );
    });
    app.list('BHP');
    await app.pass(SECOND);
    expect([...app.picture.events.keys()].sort()).toEqual(['a', 'b']);
    expect(app.picture.events.get('b')).toMatchObject({ countryCode: 'EMU', actual: null, consensus: 1.5 });
    await app.pass(10 * MINUTE + 27 * SECOND);
    expect(app.picture.events.get('a')).toMatchObject({
      actual: 1.7,
      revised: 1.1,
      isBetterThanExpected: true,
    });
    app.fxstreet.remove('b');
    await app.pass(HOUR);
    expect([...app.picture.events.keys()]).toEqual(['a']);
  });

  test('the weekly file stands in under its own name, and goes when FXStreet answers', async () => {
    app = await openProvidedApp(NOW, ({ fxstreet }) => {
      fxstreet.put(item('a', NOW + HOUR));
      fxstreet.setWeek([
        {
          ...{ title: 'Wage Price Index q/q', country: 'AUD', date: '2026-11-18T19:30:00-05:00' },
          ...{ impact: 'Medium', forecast: '0.8%', previous: '0.9%' },
        },
      ]);
      fxstreet.setFault({ kind: 'status', status: 401 });
    });
    app.list('BHP');
    await app.pass(SECOND);
    expect([...app.picture.events.values()].map(({ name }) => name)).toEqual(['Wage Price Index q/q']);
    expect(app.picture.meta.calendar).toMatchObject({ label: 'ForexFactory', healthy: false });
    expect(app.picture.meta.calendar?.problem).toContain('The weekly calendar of ForexFactory stands in');
    app.fxstreet.setFault({ kind: 'none' });
    await app.pass(MINUTE);
    app.list('CBA');
    await app.pass(SECOND);
    expect([...app.picture.events.values()].map(({ name }) => name)).toEqual(['Event a']);
    expect(app.picture.meta.calendar).toMatchObject({ label: 'FXStreet', healthy: true, problem: null });
  });
});
