import { humanSize } from '#lib/humanSize.ts';
import { DASH, formatNumber } from '#texts/format.ts';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { whenText } from '#admin/web/parts/whenText.ts';
import type { RelayRow } from '../answers/relays.ts';
import { versionNote } from '../rules/relayWords.ts';

const NUMBERS = ['Pages', 'Alert pages', 'Behind', 'Sent', 'Since'];
const HEADINGS = ['Relay', 'Version', ...NUMBERS];

/** How far a relay is behind: 'nothing', '3 frames, 45 ms'; a dash where it gave nothing yet. */
function behindText({ lagFrames, lagMs }: Pick<RelayRow, 'lagFrames' | 'lagMs'>): string {
  if (lagFrames === null) return DASH;
  if (lagFrames === 0) return 'nothing';
  const frames = `${formatNumber(lagFrames, 0)} ${lagFrames === 1 ? 'frame' : 'frames'}`;
  return lagMs === null ? frames : `${frames}, ${formatNumber(lagMs, 0)} ms`;
}

/** The relays that are there, by name. */
export const RelayTable = ({ relays }: { relays: readonly RelayRow[] }) => (
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
        {note !== null && <p className="record-note">{note}</p>}
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
