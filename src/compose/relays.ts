import type { Config } from '#src/config/config.ts';
import type { App, Part } from '#platform/app.ts';
import type { Primary, PrimaryNeeds } from '../relays/primary/primary.ts';

/** The primary's side of the relays; null, with its code not loaded, if no Redis/Valkey is configured. */
export async function loadPrimary(
  config: Config,
  needs: Omit<PrimaryNeeds, 'config'>,
): Promise<Primary | null> {
  if (config.relays.engineUrl === null) return null;
  const { createPrimary } = await import('../relays/primary/primary.ts');
  return createPrimary({ config, ...needs });
}

/** The primary's side of the relays. Takes the lock before the port opens, releases it after it closes. */
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
