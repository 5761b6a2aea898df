import { t } from 'elysia';

export const settingsView = t.Object({
  username: t.String(),
  subscriptionType: t.UnionEnum(['free', 'basic', 'premium']),
  requestedSubscriptionType: t.Nullable(t.UnionEnum(['basic', 'premium'])),
  quoteSite: t.UnionEnum(['none', 'commsec', 'hotcopper', 'asx', 'google', 'tradingview']),
  columnPreferences: t.Record(t.String(), t.Unknown()),
});

export const quoteSiteBody = t.Object({ site: t.String({ default: '' }) });

export const saved = t.Object({ success: t.Literal(true) });
export const notSaved = t.Object({ success: t.Literal(false), error: t.String() });
