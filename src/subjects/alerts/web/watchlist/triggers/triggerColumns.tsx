import { formatMoment } from '../../../../calls/rules/callFormat.ts';
import type { ListedTrigger } from '../../../rules/triggerList.ts';
import type { TableColumn } from '../../../../../../web/ui/table/types.ts';
import { textColumn } from '../parts/textColumn.ts';
import { reasonOf, sentText, stockOf } from './triggerTexts.ts';

export type TriggerRow = ListedTrigger & {
  id: number;
  rowId: string;
  stock: string;
  company: string;
  reason: string;
  sentTo: string;
};

/** The row of a trigger. @param companyOf '' for a stock that the live list does not have */
export const triggerRow = (
  trigger: ListedTrigger,
  rowId: string,
  companyOf: (symbol: string) => string,
): TriggerRow => ({
  ...trigger,
  rowId,
  stock: stockOf(trigger),
  company: trigger.symbol === null ? '' : companyOf(trigger.symbol),
  reason: reasonOf(trigger),
  sentTo: sentText(trigger),
});

/** What a row is searched by: its code, company, the alert's name and the reason. */
export const textsOf = ({ stock, company, name, reason }: TriggerRow): string[] => [
  stock,
  company,
  name ?? '',
  reason,
];

const column = textColumn<TriggerRow>;

/** The columns of all triggers. Make them in a memo. */
export const triggerColumns = (isNarrow: boolean): TableColumn<TriggerRow>[] => [
  column({
    id: 'time',
    label: 'Time',
    title: 'When it happened in the market, in Sydney',
    width: 104,
    maxWidth: 124,
    pinned: true,
    read: ({ marketTime }) => Date.parse(marketTime),
    text: ({ marketTime }) => formatMoment(marketTime),
  }),
  column({
    id: 'stock',
    label: 'Stock',
    width: isNarrow ? 84 : 150,
    maxWidth: isNarrow ? 84 : 260,
    pinned: true,
    isRowHeader: true,
    text: ({ stock }) => stock,
    render: ({ stock, company, symbol }) => (
      <>
        <span className={symbol === null ? undefined : 'alert-code'}>{stock}</span>
        {company !== '' && !isNarrow && <span className="muted"> {company}</span>}
      </>
    ),
  }),
  column({ id: 'name', label: 'Alert', width: 130, maxWidth: 240, text: ({ name }) => name ?? '' }),
  column({
    id: 'reason',
    label: 'Reason',
    width: 260,
    maxWidth: 620,
    text: ({ reason }) => reason,
    render: ({ reason }) => <span title={reason}>{reason}</span>,
  }),
  column({
    id: 'sent',
    label: 'Sent to',
    width: 150,
    maxWidth: 260,
    text: ({ sentTo }) => sentTo,
    render: ({ sentTo }) => <span title={sentTo}>{sentTo}</span>,
  }),
  column({
    id: 'then',
    label: 'Then',
    width: 104,
    maxWidth: 130,
    text: ({ deactivated }) => (deactivated ? 'Switched off' : ''),
  }),
];
