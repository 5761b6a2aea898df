import { t } from 'elysia';
import { NOT_IN_LIVE_LIST } from '../../../../market/rules/liveSymbols.ts';

export const item = t.Object({ id: t.Integer(), symbol: t.String(), alertCount: t.Integer() });
export const items = t.Object({ items: t.Array(item) });
export const addBody = t.Object({
  symbol: t.String({ default: '', maxLength: 40, error: NOT_IN_LIVE_LIST }),
});
export const itemParams = t.Object({ id: t.Numeric() });
export const removed = t.Object({ success: t.Literal(true) });
