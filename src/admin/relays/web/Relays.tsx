import { useSyncExternalStore } from 'react';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { FactList, RecordTable, whenText } from '#admin/web/parts/RecordTable.tsx';
import { humanSize } from '#lib/wording.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { counted, DASH, formatClock, formatNumber } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { readerOf, request } from '#web/api/client.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import { type RelayRow, type RelaysAnswer, relaysAnswer } from '../answers/relays.ts';
import { engineWords, versionNote } from '../rules/relayState.ts';

const ASK_EVERY_MS = 5000;

type SeenRelays = RelaysAnswer & {
  /** Epoch ms by this browser's clock. */
  seenAt: number;
};

async function fetchRelays(): Promise<SeenRelays> {
  const relays = await request('GET /api/admin/relays', { read: readerOf(relaysAnswer) });
  return { ...relays, seenAt: Date.now() };
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

/** Polled every 5 s while the page is visible. */
function useRelays(): Loaded<SeenRelays> {
  const isHidden = useSyncExternalStore(onVisibility, () => document.hidden);
  return useLoaded(fetchRelays, ADMIN_MESSAGES.loadRelays, {
    of: isHidden ? null : fetchRelays,
    everyMs: ASK_EVERY_MS,
  });
}

const NUMBERS = ['Pages', 'Alert pages', 'Behind', 'Sent', 'Since'];
const HEADINGS = ['Relay', 'Version', ...NUMBERS];

/** How far a relay is behind: 'nothing', '3 frames, 45 ms'; a dash before its first message. */
function behindText({ lagFrames, lagMs }: Pick<RelayRow, 'lagFrames' | 'lagMs'>): string {
  if (lagFrames === null) return DASH;
  if (lagFrames === 0) return 'nothing';
  const frames = counted(lagFrames, 'frame');
  return lagMs === null ? frames : `${frames}, ${formatNumber(lagMs, 0)} ms`;
}

const RelayTable = ({ relays }: { relays: readonly RelayRow[] }) => (
  <RecordTable label="Relays" headings={HEADINGS} numbers={NUMBERS} isText>
    {relays.map((relay) => (
      <Relay key={relay.id} relay={relay} />
    ))}
  </RecordTable>
);

function Relay({ relay }: { relay: RelayRow }) {
  const { name, id, version, pages, alertPages, bytes, since } = relay;
  const note = versionNote(relay);
  return (
    <tr>
      <th scope="row">{name || id}</th>
      <td data-heading="Version">
        {version || DASH}
        {note !== null && <p className="cell-note">{note}</p>}
      </td>
      <td className="is-number" data-heading="Pages">
        {formatNumber(pages, 0)}
      </td>
      <td className="is-number" data-heading="Alert pages">
        {formatNumber(alertPages, 0)}
      </td>
      <td className="is-number" data-heading="Behind">
        {behindText(relay)}
      </td>
      <td className="is-number" data-heading="Sent">
        {bytes === null ? DASH : humanSize(bytes)}
      </td>
      <td className="is-number" data-heading="Since">
        {since === null ? DASH : <time dateTime={new Date(since).toISOString()}>{whenText(since)}</time>}
      </td>
    </tr>
  );
}

export function Relays() {
  const loaded = useRelays();
  return (
    <LoadedBody loaded={loaded} label="Loading relays…">
      {(seen) => <Status seen={seen} isOld={loaded.error !== null} />}
    </LoadedBody>
  );
}

const sum = (relays: readonly RelayRow[], of: 'pages' | 'alertPages'): number =>
  relays.reduce((all, relay) => all + (relay[of] ?? 0), 0);

type StatusProps = {
  seen: SeenRelays;
  isOld: boolean;
};

function Status({ seen, isOld }: StatusProps) {
  const { engine, relays, frames, bytes, seenAt } = seen;
  const { variant, words } = engineWords(seen);
  return (
    <>
      {isOld && <p className="muted">As of {formatClock(seenAt)} Sydney. This may be out of date.</p>}
      {variant === null ? <p>{words}</p> : <Banner variant={variant}>{words}</Banner>}
      <FactList
        facts={[
          ['Relays', formatNumber(relays.length, 0)],
          ['Pages on relays', formatNumber(sum(relays, 'pages'), 0)],
          ['Messages published', formatNumber(frames, 0)],
          ['Bytes published', bytes === null ? DASH : humanSize(bytes)],
        ]}
      />
      {relays.length > 0 && <RelayTable relays={relays} />}
      {/* While Redis/Valkey is down, nothing is known about the relays. */}
      {relays.length === 0 && engine.isUp && <NoRelays />}
    </>
  );
}

/** Shown without relays; a relay appears within two seconds. */
const NoRelays = () => (
  <EmptyState
    detail={
      <>
        Start a relay with this server’s Redis address and secret:{' '}
        <code className="break-words">
          BELLBIRD_ENGINE_URL=… BELLBIRD_RELAY_SECRET=… BELLBIRD_PRIMARY_URL={window.location.origin} bellbird
          relay
        </code>
      </>
    }
  >
    No relay is connected.
  </EmptyState>
);
