/**
 * The sections in the order of the specification, 2.10; `words` are for the search in the palette. Server alerts come
 * first, because administrators open the panel for them. Those after Channels are seldom needed.
 */
export const ADMIN_SECTIONS = [
  { id: 'server-alerts', title: 'Server Alerts', words: 'problems checks notices' },
  { id: 'upgrade-requests', title: 'Pending Upgrade Requests', words: 'plan approve' },
  { id: 'call-review', title: 'Calls Awaiting Admin Review', words: 'reject' },
  { id: 'catalog', title: 'Indicator Catalog', words: 'tradingview' },
  { id: 'endpoints', title: 'External Endpoint Activity', words: 'requests metrics' },
  { id: 'server', title: 'Server Controls', words: 'restart update backups recordings support file' },
  { id: 'logs', title: 'Logs', words: 'tail' },
  { id: 'question', title: 'Manual Question Response', words: 'model ai' },
  { id: 'users', title: 'All Users', words: 'audit plan edit' },
  { id: 'inspector', title: 'Server State Inspector', words: 'memory' },
  { id: 'channels', title: 'Channels', words: 'compose message broadcast' },
  { id: 'relays', title: 'Relays', words: 'redis valkey' },
  { id: 'closures', title: 'Market Closures', words: 'holidays' },
  { id: 'connections', title: 'Connections', words: 'test' },
  { id: 'configuration', title: 'Configuration', words: 'environment settings' },
] as const;

export type AdminSectionId = (typeof ADMIN_SECTIONS)[number]['id'];
