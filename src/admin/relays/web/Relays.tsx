import './Relays.css';
import { humanSize } from '#lib/humanSize.ts';
import { DASH, formatClock, formatNumber } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { FactList } from '#admin/web/parts/FactList.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import type { RelayRow } from '../answers/relays.ts';
import { engineWords } from '../rules/relayWords.ts';
import { RelayTable } from './RelayTable.tsx';
import { type SeenRelays, useRelays } from './useRelays.ts';

/** The message engine and the relays that read from it, asked for again every few seconds. */
export function Relays() {
  const loaded = useRelays();
  return (
    <LoadedBody loaded={loaded} label="Loading relays…">
      {(seen) => <Standing seen={seen} isOld={loaded.error !== null} />}
    </LoadedBody>
  );
}

const sum = (relays: readonly RelayRow[], of: 'pages' | 'alertPages'): number =>
  relays.reduce((all, relay) => all + (relay[of] ?? 0), 0);

type StandingProps = {
  seen: SeenRelays;
  /** It could not be asked for again. */
  isOld: boolean;
};

function Standing({ seen, isOld }: StandingProps) {
  const { engine, relays, frames, bytes, seenAt } = seen;
  const { variant, words } = engineWords(seen);
  return (
    <>
      {isOld && <p className="muted">As of {formatClock(seenAt)} Sydney; it may be otherwise by now.</p>}
      {variant === null ? <p>{words}</p> : <Banner variant={variant}>{words}</Banner>}
      <FactList
        facts={[
          ['Relays', formatNumber(relays.length, 0)],
          ['Pages on relays', formatNumber(sum(relays, 'pages'), 0)],
          ['Frames published', formatNumber(frames, 0)],
          ['Bytes published', bytes === null ? DASH : humanSize(bytes)],
        ]}
      />
      {relays.length > 0 && <RelayTable relays={relays} />}
      {/* Of relays that can't be heard of nothing is known. */}
      {relays.length === 0 && engine.isUp && <NoRelays />}
    </>
  );
}

/** A relay that runs tells of itself every other second. */
const NoRelays = () => (
  <EmptyState
    detail={
      <>
        Engine and secret as they are set here:{' '}
        <code className="relay-command">
          BELLBIRD_ENGINE_URL=… BELLBIRD_RELAY_SECRET=… BELLBIRD_PRIMARY_URL={window.location.origin} bellbird
          relay
        </code>
      </>
    }
  >
    No relay is connected.
  </EmptyState>
);
