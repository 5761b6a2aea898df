import { routeQuery } from '#web/router/navigate.ts';
import { SETTINGS_PATH } from '#web/router/routes.ts';

const SHOW = 'two-factor';

/** Where two-factor login is set up, as a route. */
export const SECOND_FACTOR_PLACE = `${SETTINGS_PATH}?show=${SHOW}`;

/** Whether the address leads there. */
export const isShownFirst = (): boolean => routeQuery.peek().get('show') === SHOW;
