import type { App } from '#platform/app.ts';
import { demoAlerts, demoWatchlist } from '../rules/demo.ts';
import { livePrice } from '#market/rules/stockState.ts';

/** Test mode: adds a watchlist of four symbols and two alerts for a demo user without a list. */
export function createAlertsSeeder({ alerts, watchlist, market }: App) {
  return ({ id }: { id: number }): void => {
    if (watchlist.items(id).length > 0) return;
    const stocks = [...market.all().values()].flatMap((stock) => {
      const last = livePrice(stock);
      return last === null || stock.securityType !== 'stock' ? [] : [{ code: stock.code, last }];
    });
    const watched = demoWatchlist(stocks);
    for (const { code } of watched) watchlist.add(id, code);
    for (const { logic, ...alert } of demoAlerts(watched)) alerts.create(id, { ...alert, logic_json: logic });
  };
}
