import type { Config } from '../config.ts';
import type { Part } from '../part.ts';
import type { PrimaryNeeds } from '../relays/primary/index.ts';
import type { Primary } from '../relays/primary/primary.ts';
import type { AlertParts } from './alerts.ts';
import type { People } from './people.ts';
import type { MarketParts } from './market.ts';

/** What serves the relays; null where the settings name no message engine: none of its code is loaded then. */
export async function loadPrimary(
  config: Pick<Config, 'relays' | 'streams'>,
  needs: Omit<PrimaryNeeds, 'config'>,
): Promise<Primary | null> {
  if (config.relays.engineUrl === null) return null;
  const { createPrimary } = await import('../relays/primary/index.ts');
  return createPrimary({ config, ...needs });
}

/**
 * The primary's side of the relays as two parts: the lease, which comes before all work and is given back after it, and
 * what is published, from the first tick on.
 */
export function createRelayParts(
  primary: Primary | null | undefined,
  {
    accounts,
    stream,
    alerts,
  }: Pick<People, 'accounts'> & Pick<MarketParts, 'stream'> & Pick<AlertParts, 'alerts'>,
) {
  const lease: Part = { name: 'relayLease' };
  const run: Part = { name: 'relayRun' };
  if (!primary) return { relayLease: lease, relayRun: run };
  primary.connect(stream.service, (least) => {
    const { clients: pages, addresses } = stream.service.openStreams(least);
    const { clients: alertPages, addresses: alertAddresses } = alerts.service.openStreams(least);
    return { pages, addresses, alertPages, alertAddresses };
  });
  accounts.service.listen({ sessionsEnded: primary.sessionsEnded });
  return {
    relayLease: { ...lease, start: () => primary.takeLease(), stop: () => primary.stop() },
    relayRun: { ...run, start: () => primary.start(), onJump: primary.jumped },
  };
}
