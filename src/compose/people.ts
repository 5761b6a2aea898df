import { createAudit } from '../admin/audit/server/index.ts';
import { createSettings } from '../subjects/settings/server/index.ts';
import { createAccounts } from '../subjects/accounts/server/index.ts';
import { createAuth } from '../platform/http/auth.ts';
import { createChangeGate } from '../platform/http/changeGate.ts';
import { createLastSeen } from '../platform/http/lastSeen.ts';
import { createLongReads } from '../platform/http/readQueue.ts';
import { createLoopTime } from '../platform/http/loopTime.ts';
import { createRequestLog } from '../platform/http/requestLog.ts';
import type { App } from '#platform/app.ts';
import type { MarketParts } from './market.ts';
import type { Runtime } from './runtime.ts';

/** What every request goes through, and the record of what administrators did. */
export function createRequestParts(app: App, runtime: Runtime) {
  const { control, jwtSecret } = runtime;
  const lastSeen = createLastSeen();
  const loopTime = createLoopTime(app);
  const { adminTotp } = app.config;
  const auth = createAuth(app, { jwtSecret, lastSeen, gate: loopTime.service, adminTotp });
  const longReads = createLongReads(app, runtime);
  const reads = longReads.service;
  return {
    /** What routes ask: who calls, and whether it is their turn. */
    access: { auth, lastSeen, reads },
    longReads,
    loopTime,
    requestLog: createRequestLog(app),
    changeGate: createChangeGate({ isClosed: () => control.trial?.holdsChanges() ?? false }),
    audit: createAudit(app, { reads }),
  };
}

export type RequestParts = ReturnType<typeof createRequestParts>;

/** Accounts and what each of them has set. */
export function createPeople(
  app: App,
  { passwords, jwtSecret }: Runtime,
  { access, indicators }: RequestParts & Pick<MarketParts, 'indicators'>,
) {
  return {
    accounts: createAccounts(app, { ...access, passwords, jwtSecret }),
    settings: createSettings(app, { indicators: indicators.service }),
  };
}

export type People = RequestParts & ReturnType<typeof createPeople>;
