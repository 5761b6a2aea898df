import type { Config } from '../config/config.ts';
import type { Part } from '#platform/app.ts';
import type { PrimaryNeeds } from '../relays/primary/index.ts';
import type { Primary } from '../relays/primary/primary.ts';
import type { AlertParts } from './alerts.ts';
import type { People } from './people.ts';
import type { MarketParts } from './market.ts';

/** What serves the relays; null where the settings name no message engine: none of its code is loaded then. */
export async function loadPrimary(
  config: Config,
  needs: Omit<PrimaryNeeds, 'config'>,
): Promise<Primary | null> {
  if (config.relays.engineUrl === null) return null;
  const { createPrimary } = await import('../relays/primary/index.ts');
  return createPrimary({ config, ...needs });
}

/**
 * The primary's side of the relays as a part: what is published, from the first tick on. The lease comes before the port
 * is open, and is given back after it is closed.
 */
export function createRelayPart(
  primary: Primary | null | undefined,
  {
    accounts,
    stream,
    alerts,
  }: Pick<People, 'accounts'> & Pick<MarketParts, 'stream'> & Pick<AlertParts, 'alerts'>,
) {
  const run: Part = { name: 'relayRun' };
  if (!primary) return run;
  primary.connect(stream.service, (least) => {
    const { clients: pages, addresses } = stream.service.openStreams(least);
    const { clients: alertPages, addresses: alertAddresses } = alerts.service.openStreams(least);
    return { pages, addresses, alertPages, alertAddresses };
  });
  accounts.service.listen({ sessionsEnded: primary.sessionsEnded });
  return { ...run, start: () => primary.start(), onJump: primary.jumped };
}
