import type { Config } from '#src/config/config.ts';
import type { App, Part } from '#platform/app.ts';
import type { Primary, PrimaryNeeds } from '../relays/primary/primary.ts';

/**
 * The primary's side of the relays. Null, and its code is not loaded, if no Redis/Valkey server is
 * configured.
 */
export async function loadPrimary(
  config: Config,
  needs: Omit<PrimaryNeeds, 'config'>,
): Promise<Primary | null> {
  if (config.relays.engineUrl === null) return null;
  const { createPrimary } = await import('../relays/primary/primary.ts');
  return createPrimary({ config, ...needs });
}

/**
 * The part for the primary's side of the relays. The lock is taken before the port opens, and released after
 * it is closed.
 */
export function createRelayPart({ accounts, alerts, primary, stream }: App): Part {
  const run: Part = { name: 'relayRun' };
  if (!primary) return run;
  primary.connect(stream, (least) => {
    const { clients: pages, addresses } = stream.openStreams(least);
    const { clients: alertPages, addresses: alertAddresses } = alerts.openStreams(least);
    return { pages, addresses, alertPages, alertAddresses };
  });
  accounts.listen({ sessionsEnded: primary.sessionsEnded });
  return { ...run, start: () => primary.start(), onJump: primary.jumped };
}
