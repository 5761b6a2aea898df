import { expect, test } from 'bun:test';
import { demoAlerts, demoWatchlist } from '../../../../src/subjects/alerts/rules/demo.ts';
import { logicText } from '../../../../src/subjects/conditions/rules/logicText.ts';

const stock = (code: string, last: number) => ({ code, last });

test('a demo user watches four well-known stocks, and what is listed where those are not', () => {
  const codes = (...listed: string[]) =>
    demoWatchlist(listed.map((code) => stock(code, 10))).map(({ code }) => code);
  expect(codes('AAA', 'BHP', 'BBB', 'CBA', 'CCC', 'DDD')).toHaveLength(4);
  expect(codes('AAA', 'BHP', 'BBB', 'CBA', 'CCC', 'DDD')).toContain('BHP');
  expect(codes('AAA', 'BBB')).toEqual(['AAA', 'BBB']);
});

test('one alert waits again and again for a price above the last, the other once for a busy rise', () => {
  const shown = demoAlerts([stock('BHP', 50), stock('CBA', 170), stock('CSL', 250)]).map(
    ({ symbol, name, persistent, logic }) => [symbol, name, persistent, logicText(logic, null)],
  );
  expect(shown).toEqual([
    ['BHP', 'Breakout', true, 'Last crosses above 51.5'],
    ['CBA', 'Busy rise', false, 'Change % above 4 and Rel Vol above 2'],
  ]);
  expect(demoAlerts([stock('BHP', 50)]).map(({ symbol }) => symbol)).toEqual(['BHP']);
  expect(demoAlerts([])).toEqual([]);
});
