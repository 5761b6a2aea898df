import ExternalLink from 'lucide-react/icons/external-link';
import { formatTime } from '#texts/format.ts';
import { Pill } from '#ui/Pill.tsx';
import type { TableColumn } from '#ui/table/types.ts';
import { isWebAddress } from '#subjects/announcements/web/shared/isWebAddress.ts';
import type { NewsLine } from '#subjects/glance/rules/dayNews.ts';

const column = (
  given: Pick<TableColumn<NewsLine>, 'id' | 'label' | 'width' | 'maxWidth' | 'text'> &
    Partial<TableColumn<NewsLine>>,
): TableColumn<NewsLine> => ({
  numeric: false,
  flashes: false,
  read: (line) => given.text(line).toLowerCase() || null,
  ...given,
});

const typesOf = ({ types, headline }: NewsLine): string =>
  types.filter((type) => type !== headline).join(', ');

const DOCUMENT = column({
  id: 'document',
  label: 'Document',
  width: 96,
  maxWidth: 110,
  isSortable: false as const,
  taken: [{ label: 'Document', value: ({ url }) => (isWebAddress(url) ? url : '') }],
  text: ({ url }) => (isWebAddress(url) ? 'Document' : ''),
  render: ({ url, code, headline }, inTabOrder) =>
    isWebAddress(url) && (
      <a
        className="touch gap-1"
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={`Document of ${code}: ${headline}`}
        tabIndex={inTabOrder ? 0 : -1}
        onClick={(event) => event.stopPropagation()}
      >
        Open <ExternalLink size={12} aria-hidden />
      </a>
    ),
});

const stockColumn = (isNarrow: boolean): TableColumn<NewsLine> =>
  column({
    id: 'code',
    label: 'Stock',
    pinned: true,
    isRowHeader: true,
    isLong: true,
    taken: [
      { label: 'Code', value: ({ code }) => code },
      { label: 'Name', value: ({ name }) => name },
    ],
    width: isNarrow ? 64 : 160,
    maxWidth: isNarrow ? 64 : 240,
    text: ({ code }) => code,
    render: ({ code, name }) => (
      <>
        <b>{code}</b>
        {!isNarrow && <span className="muted"> {name}</span>}
      </>
    ),
  });

/** The columns of the day's announcements. Make them in a memo. */
export const newsColumns = (isNarrow: boolean): TableColumn<NewsLine>[] => [
  column({
    id: 'time',
    label: 'Time',
    title: 'When it was released, in Sydney',
    width: 56,
    maxWidth: 64,
    pinned: true,
    isTime: true,
    read: ({ time }) => Date.parse(time),
    text: ({ time }) => formatTime(time),
  }),
  stockColumn(isNarrow),
  column({
    id: 'headline',
    label: 'Headline',
    width: isNarrow ? 250 : 320,
    maxWidth: 720,
    isLong: true,
    text: ({ headline }) => headline,
    render: ({ headline }) => <span title={headline}>{headline}</span>,
  }),
  column({
    id: 'sensitive',
    label: 'Sensitive',
    width: 110,
    maxWidth: 130,
    text: ({ isPriceSensitive }) => (isPriceSensitive ? 'Price sensitive' : ''),
    render: ({ isPriceSensitive }) => isPriceSensitive && <Pill variant="warn">Price sensitive</Pill>,
  }),
  column({
    id: 'types',
    label: 'Type',
    width: 170,
    maxWidth: 320,
    isLong: true,
    text: typesOf,
    render: (line) => <span title={typesOf(line)}>{typesOf(line)}</span>,
  }),
  DOCUMENT,
];
