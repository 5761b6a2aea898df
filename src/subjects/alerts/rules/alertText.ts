import type { ChartLevel } from '#market/bars/rules/chart.ts';
import { type Condition, conditionsOf, type Logic } from '#subjects/conditions/rules/condition.ts';
import { CHAT_PLATFORMS, PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import { logicText } from '#subjects/conditions/rules/logicText.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { deviceChoiceText, hasDevices } from '#subjects/devices/rules/device.ts';
import { STOCK_OPTIONS, type OptionValues } from '../answers/options.ts';
import type { Destinations } from './recipient.ts';
import { namedAll } from './manyAlerts.ts';

const comparesLast = ({ lhs, rhs }: Condition): number | null =>
  lhs.type === 'field' && lhs.key === 'last' && rhs.type === 'number' ? rhs.value : null;

/** Prices that alerts compare with the last price, without duplicates. */
export function alertLevels(logics: Iterable<Logic>): ChartLevel[] {
  const prices = new Set<number>();
  for (const logic of logics) {
    for (const condition of conditionsOf(logic)) {
      const price = comparesLast(condition);
      if (price !== null && price > 0) prices.add(price);
    }
  }
  return [...prices].sort((a, b) => a - b).map((price) => ({ kind: 'alert', title: 'Alert', price }));
}

/** The choices of an alert, to compare two versions of it. */
export type DescribedAlert = OptionValues<typeof STOCK_OPTIONS> & {
  logic_json: Logic | null;
  destinations: Destinations;
};

function conditionsText(logic: Logic | null, catalog: Pick<Catalog, 'indicators'> | null): string {
  if (logic === null) return 'Conditions that can’t be shown here';
  return logic.conditions.length === 0 ? 'No conditions yet' : logicText(logic, catalog);
}

/** Names of the destinations; empty if the alert is shown in the browser only. */
export const placeNames = (destinations: Destinations): string[] => [
  ...CHAT_PLATFORMS.filter((platform) => destinations[platform]).map((platform) => PLATFORM_NAMES[platform]),
  ...(hasDevices(destinations.devices) ? [deviceChoiceText(destinations.devices)] : []),
];

function destinationsText(destinations: Destinations): string {
  const names = placeNames(destinations);
  return names.length === 0 ? 'Shown in the browser only' : `Sent to ${namedAll(names)}`;
}

/** One line per choice of the owner. @param catalog names of indicators; without it their keys are shown */
export function alertLines(alert: DescribedAlert, catalog: Pick<Catalog, 'indicators'> | null): string[] {
  const descriptionOf = ({ name, describe: say }: (typeof STOCK_OPTIONS)[keyof typeof STOCK_OPTIONS]) =>
    say?.(alert[name] as never, alert.persistent) ?? [];
  const { name, persistent, ...others } = STOCK_OPTIONS;
  return [
    descriptionOf(name),
    conditionsText(alert.logic_json, catalog),
    descriptionOf(persistent),
    destinationsText(alert.destinations),
    ...Object.values(others).map(descriptionOf),
  ].flat();
}
