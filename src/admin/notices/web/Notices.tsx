import './Notices.css';
import { Banner } from '../../../../web/ui/Banner.tsx';
import { EmptyState } from '../../../../web/ui/EmptyState.tsx';
import { Pill } from '../../../../web/ui/Pill.tsx';
import { SwitchField } from '../../../../web/ui/SwitchField.tsx';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { whenText } from '../../web/parts/whenText.ts';
import type { Notice, NoticesAnswer } from '../answers/notices.ts';
import { type NoticesState, useNotices } from './useNotices.ts';

/** What is wrong with the server now, since when and what to do, and whether the caller is told by message. */
export function Notices() {
  const state = useNotices();
  return (
    <LoadedBody loaded={state.loaded} label="Looking at the server…">
      {(data) => (
        <>
          <NoticeList notices={data.notices} />
          <Wanted data={data} state={state} />
        </>
      )}
    </LoadedBody>
  );
}

const NoticeList = ({ notices }: { notices: readonly Notice[] }) =>
  notices.length === 0 ? (
    <EmptyState detail="Sources, backups, disk, certificate and new versions are looked at each minute or each day.">
      Nothing is wrong with this server.
    </EmptyState>
  ) : (
    <ul className="notice-list" aria-label="What is wrong now">
      {notices.map((notice) => (
        <NoticeItem key={notice.key} notice={notice} />
      ))}
    </ul>
  );

const Time = ({ at }: { at: number }) => <time dateTime={new Date(at).toISOString()}>{whenText(at)}</time>;

function NoticeItem({ notice: { title, detail, remedy, since, wellSince, isUrgent } }: { notice: Notice }) {
  return (
    <li className="notice">
      <h3>
        {title} {isUrgent && <Pill variant="warn">Urgent</Pill>}
      </h3>
      {detail !== '' && <p>{detail}</p>}
      {remedy !== '' && <p>{remedy}</p>}
      <p className="muted">
        Since <Time at={since} /> Sydney
        {wellSince !== null && (
          <>
            ; well since <Time at={wellSince} />, and over once that lasts
          </>
        )}
        .
      </p>
    </li>
  );
}

type WantedProps = { data: NoticesAnswer; state: NoticesState };

const Wanted = ({ data: { isWanted, isReachable }, state: { error, isSaving, setWanted } }: WantedProps) => (
  <div className="notice-wanted">
    <SwitchField
      label="Tell me by message when something goes wrong, and when it is over"
      value={isWanted}
      disabled={isSaving}
      onChange={(value) => void setWanted(value)}
    />
    {isWanted && !isReachable && (
      <p className="muted">You have no linked chat and no device yet: add one in Settings.</p>
    )}
    {error !== null && <Banner>{error}</Banner>}
  </div>
);
