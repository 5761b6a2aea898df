import { ALERT_STATES } from '../../../rules/alertState.ts';
import { formatMoment } from '../../../../calls/rules/callFormat.ts';
import { CHAT_PLATFORMS, PLATFORM_NAMES } from '../../../../chats/rules/chatPlatform.ts';
import type { Destinations } from '../../../rules/alert.ts';
import { Pill, type PillVariant } from '../../../../../../web/ui/Pill.tsx';
import type { TableColumn } from '../../../../../../web/ui/table/types.ts';
import { textColumn } from '../parts/textColumn.ts';
import { type AlertRow, calledOf } from './alertRows.ts';

const VARIANTS: Readonly<Partial<Record<AlertRow['state']['key'], PillVariant>>> = {
  snoozed: 'stale',
  waiting: 'warn',
  problem: 'warn',
  stopped: 'warn',
};

const sentTo = (destinations: Destinations): string =>
  CHAT_PLATFORMS.filter((platform) => destinations[platform])
    .map((platform) => PLATFORM_NAMES[platform])
    .join(', ') || 'Browser only';

const column = textColumn<AlertRow>;

const stateColumn = column({
  id: 'state',
  label: 'State',
  width: 148,
  maxWidth: 190,
  read: ({ state }) => ALERT_STATES.indexOf(state.key),
  text: ({ state }) => state.text,
  render: ({ state: { key, text, detail } }) => {
    const variant = VARIANTS[key];
    return (
      <span title={detail ?? undefined} className={key === 'off' || key === 'expired' ? 'muted' : undefined}>
        {variant ? <Pill variant={variant}>{text}</Pill> : text}
        {detail !== null && <span className="visually-hidden">: {detail}</span>}
      </span>
    );
  },
});

const selectColumn = (toggle: (id: string, isRange: boolean) => void): TableColumn<AlertRow> => ({
  ...column({ id: 'select', label: 'Select', width: 40, maxWidth: 40, text: () => '' }),
  isLong: false,
  isSortable: false,
  pinned: true,
  render: (row, inTabOrder) => (
    <label className="alert-select">
      <input
        type="checkbox"
        aria-label={`Select ${calledOf(row)}`}
        checked={row.isSelected}
        tabIndex={inTabOrder ? 0 : -1}
        onChange={({ nativeEvent }) =>
          toggle(row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  ),
});

/** The columns of all alerts. Make them in a memo. @param toggle selects a row, or a range up to it */
export const alertColumns = (
  toggle: (id: string, isRange: boolean) => void,
  isNarrow: boolean,
): TableColumn<AlertRow>[] => [
  selectColumn(toggle),
  column({
    id: 'what',
    label: 'Stock or scan',
    width: isNarrow ? 116 : 150,
    maxWidth: isNarrow ? 116 : 260,
    pinned: true,
    isRowHeader: true,
    text: ({ what }) => what,
    render: ({ what, company, of }) => (
      <>
        <span className={of.kind === 'alert' ? 'alert-code' : undefined}>{what}</span>
        {company !== '' && !isNarrow && <span className="muted"> {company}</span>}
      </>
    ),
  }),
  column({ id: 'name', label: 'Name', width: 130, maxWidth: 240, text: ({ name }) => name }),
  column({
    id: 'words',
    label: 'Condition',
    width: 200,
    maxWidth: 480,
    text: ({ words }) => words,
    render: ({ words }) => <span title={words}>{words}</span>,
  }),
  stateColumn,
  column({
    id: 'repeats',
    label: 'Repeat',
    title: 'Repeat each time',
    width: 84,
    maxWidth: 100,
    text: ({ repeats }) => repeats,
  }),
  column({
    id: 'destinations',
    label: 'Sent to',
    width: 104,
    maxWidth: 140,
    text: ({ destinations }) => sentTo(destinations),
  }),
  column({
    id: 'last',
    label: 'Last triggered',
    width: 112,
    maxWidth: 130,
    numeric: true,
    read: ({ lastAt }) => lastAt,
    text: ({ lastAt }) => (lastAt === null ? 'Never' : formatMoment(lastAt)),
  }),
  column({
    id: 'expires',
    label: 'Expires',
    width: 104,
    maxWidth: 130,
    numeric: true,
    read: ({ expiresAt }) => expiresAt,
    text: ({ expiresAt }) => (expiresAt === null ? 'Never' : formatMoment(expiresAt)),
  }),
  column({
    id: 'note',
    label: 'Note',
    width: 120,
    maxWidth: 320,
    text: ({ note }) => note,
    render: ({ note }) => <span title={note}>{note}</span>,
  }),
];
