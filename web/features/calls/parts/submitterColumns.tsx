import { formatPocketed, formatResult, formatShare } from '../../../../src/domain/calls/callFormat.ts';
import type { Submitter } from '../readCalls.ts';
import { DASH, formatNumber } from '../../../../src/domain/format.ts';
import type { TableColumn } from '../../../ui/table/types.ts';
import { RecordLink } from './RecordLink.tsx';
import { directionTone } from './directionTone.ts';

type Metrics = Submitter['metrics'];

const count = (id: keyof Metrics, label: string): TableColumn<Submitter> => ({
  id,
  label,
  numeric: true,
  width: 68,
  maxWidth: 104,
  read: ({ metrics }) => metrics[id],
  text: ({ metrics }) => formatNumber(metrics[id], 0),
});

const money = (id: keyof Metrics, label: string): TableColumn<Submitter> => ({
  ...count(id, label),
  width: 108,
  maxWidth: 150,
  text: ({ metrics }) => formatPocketed(metrics[id]),
  tone: ({ metrics }) => directionTone(metrics[id], 2),
});

const share = (id: keyof Metrics, label: string, title: string): TableColumn<Submitter> => ({
  ...count(id, label),
  title,
  width: 84,
  maxWidth: 120,
  text: ({ metrics }) => formatShare(metrics[id]),
});

/** Submitter Overview: the specification's columns, then what the recorded prices say. */
export const SUBMITTER_COLUMNS: readonly TableColumn<Submitter>[] = [
  {
    id: 'submitter',
    label: 'Submitter',
    numeric: false,
    width: 140,
    maxWidth: 260,
    read: ({ submitter }) => submitter.display.toLocaleLowerCase('en-AU'),
    text: ({ submitter }) => submitter.display,
    render: ({ submitter }, inTabOrder) => <RecordLink name={submitter.display} inTabOrder={inTabOrder} />,
    pinned: true,
    isRowHeader: true,
  },
  count('total', 'Total'),
  count('pending', 'Pending'),
  count('open', 'Open'),
  count('closed', 'Closed'),
  { ...count('cancelled', 'Cancelled'), width: 84 },
  money('pocketedValue', 'Pocketed $'),
  money('averagePocketed', 'Avg Pocketed'),
  share(
    'winRate',
    'Win rate',
    'Share of verified results that gained. Verified means: by the prices recorded here; an open call counts at the last price.',
  ),
  share('winRateLowerBound', 'At least', 'Lower end of the 95 % range of the win rate; the rank goes by it.'),
  {
    ...count('verified', 'Verified'),
    title: 'How many results the recorded prices verify, those of filled open calls included.',
    width: 76,
  },
  {
    ...count('averageVerified', 'Avg result'),
    title: 'Mean verified result, from the first trade after posting to the first one after the end.',
    width: 88,
    text: ({ metrics }) => formatResult(metrics.averageVerified),
    tone: ({ metrics }) => directionTone(metrics.averageVerified, 1),
  },
  {
    ...count('rank', 'Rank'),
    title: 'From five closed calls with a verified result.',
    width: 60,
    text: ({ metrics }) => (metrics.rank === null ? DASH : String(metrics.rank)),
  },
];
