import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { request } from '#web/api/client.ts';
import { serverNow } from '#web/live/market.ts';
import { FormError } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { NativeSelect, TextField } from '#ui/Field.tsx';
import type { SpecialDay } from '#market/rules/tradingDay.ts';
import { addDays, sydneyDate } from '#lib/sydneyTime.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { formatDate } from '#texts/format.ts';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { type KnownSpecialDay, closuresAnswer } from '../answers/closures.ts';
import {
  checkSpecialDay,
  MAX_REASON,
  redundancy,
  ruleText,
  specialDayText,
} from '../rules/specialDayForm.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { errorOf, otherError, RefusalBanner, useSending } from '#web/shared/useSending.tsx';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';
import { LateConfirm } from '#web/shared/lateStyles.ts';

const fetchClosures = async (): Promise<KnownSpecialDay[]> =>
  (await request('GET /api/admin/market-closures', { read: closuresAnswer.read })).days;

/** @throws ApiError with the server's refusal */
async function postDay({ closesAt, ...day }: SpecialDay): Promise<KnownSpecialDay[]> {
  const body = closesAt === null ? day : { ...day, closesAt };
  const added = request('POST /api/admin/market-closures', { body, read: closuresAnswer.read });
  return (await asAdminAction(added)).days;
}

/** @throws ApiError with the server's refusal */
async function deleteDay(date: string): Promise<KnownSpecialDay[]> {
  const asked = { params: { date }, read: closuresAnswer.read };
  return (await asAdminAction(request('DELETE /api/admin/market-closures/:date', asked))).days;
}

const KINDS: readonly { id: SpecialDay['kind']; label: string }[] = [
  { id: 'closed', label: 'Closed' },
  { id: 'early', label: 'Early close' },
  { id: 'normal', label: 'Usual trading day' },
];

type Typed = { date: string; kind: SpecialDay['kind']; closesAt: string; reason: string };
const NOTHING: Typed = { date: '', kind: 'closed', closesAt: '14:10', reason: '' };

type OnDays = { onDays(days: KnownSpecialDay[]): void };

function useNewDay({ onDays }: OnDays) {
  const [typed, setTyped] = useState(NOTHING);
  const sending = useSending();
  const dateBox = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = checkSpecialDay(typed);
    if (!checked.ok) return sending.refuse(checked.error);
    const reason = redundancy(checked.value);
    if (reason !== null) return sending.refuse({ field: 'date', message: reason });
    const add = async () => onDays(await postDay(checked.value));
    if (!(await sending.send(add, ADMIN_MESSAGES.addClosure))) return;
    setTyped(NOTHING);
    dateBox.current?.focus();
  };
  const type = (part: Partial<Typed>): void => {
    setTyped((before) => ({ ...before, ...part }));
    sending.refuse(null);
  };
  return { typed, sending, dateBox, submit, type };
}

const FIELDS = ['date', 'closesAt', 'reason'];

type DayFieldsProps = Pick<ReturnType<typeof useNewDay>, 'typed' | 'sending' | 'dateBox' | 'type'>;

function DayFields({ typed, sending, dateBox, type }: DayFieldsProps): ReactNode {
  const usual = typed.date === '' ? null : ruleText(typed.date);
  return (
    <>
      <TextField
        ref={dateBox}
        type="date"
        label="Date"
        value={typed.date}
        error={errorOf(sending, 'date')}
        help={usual && `Usually: ${usual}`}
        onChange={(event) => type({ date: event.target.value })}
      />
      <NativeSelect label="Market" value={typed.kind} options={KINDS} onChoose={(kind) => type({ kind })} />
      {typed.kind === 'early' && (
        <TextField
          type="time"
          label="Trading ends (Sydney)"
          value={typed.closesAt}
          error={errorOf(sending, 'closesAt')}
          onChange={(event) => type({ closesAt: event.target.value })}
        />
      )}
      <TextField
        label="Reason"
        value={typed.reason}
        maxLength={MAX_REASON}
        autoComplete="off"
        error={errorOf(sending, 'reason')}
        onChange={(event) => type({ reason: event.target.value })}
      />
    </>
  );
}

function AddDayForm(props: OnDays): ReactNode {
  const { submit, ...fields } = useNewDay(props);
  const { isBusy } = fields.sending;
  const other = otherError(fields.sending, FIELDS);
  return (
    <form className="stack self-stretch" noValidate onSubmit={(event) => void submit(event)}>
      <div className="form-row">
        <DayFields {...fields} />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? 'Adding…' : 'Add'}
        </Button>
      </div>
      {other !== null && <FormError>{other}</FormError>}
    </form>
  );
}

const HEADINGS = ['Date', 'Market', 'Reason', 'From', 'Actions'];

type DayRowProps = { day: KnownSpecialDay; isOver: boolean; onAsk(day: KnownSpecialDay): void };

function DayRow({ day, isOver, onAsk }: DayRowProps): ReactNode {
  const { date, kind, closesAt, reason, bySetting } = day;
  return (
    <tr>
      <th scope="row">{formatDate(date)}</th>
      <td data-heading="Market">{specialDayText({ kind, closesAt })}</td>
      <td data-heading="Reason">{reason}</td>
      <td data-heading="From">{bySetting ? <code>BELLBIRD_MARKET_CLOSURES</code> : 'Admin Panel'}</td>
      <td className="row-actions">
        {isOver && <span className="muted">Over</span>}
        {!isOver && !bySetting && (
          <Button
            className="closure-remove"
            variant="danger"
            aria-label={`Remove ${formatDate(date)}`}
            onClick={() => onAsk(day)}
          >
            Remove
          </Button>
        )}
      </td>
    </tr>
  );
}

/** The days: coming ones first, the nearest on top, then past ones. */
function DayList({ days, onDays }: { days: readonly KnownSpecialDay[] } & OnDays): ReactNode {
  const [asked, ask] = useState<KnownSpecialDay | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const sending = useSending();
  const today = sydneyDate(serverNow());
  const coming = days.filter(({ date }) => date >= today);
  const over = days.filter(({ date }) => date < today).toReversed();
  const remove = async (day: KnownSpecialDay) => {
    const work = async () => onDays(await deleteDay(day.date));
    const isGone = await sending.send(work, ADMIN_MESSAGES.removeClosure);
    ask(null);
    if (isGone) setTimeout(() => focusDay(box, coming.indexOf(day)), 0);
  };
  return (
    <>
      <RefusalBanner sending={sending} />
      <RecordTable ref={box} label="Market closures" headings={HEADINGS}>
        {[...coming, ...over].map((day) => (
          <DayRow key={day.date} day={day} isOver={day.date < today} onAsk={ask} />
        ))}
      </RecordTable>
      {asked && (
        <LateConfirm
          open
          title={`Remove ${formatDate(asked.date)}?`}
          action="Remove"
          isBusy={sending.isBusy}
          onConfirm={() => void remove(asked)}
          onCancel={() => ask(null)}
        >
          <p>{removalText(asked)}</p>
        </LateConfirm>
      )}
    </>
  );
}

const removalText = ({ date, reason, ...day }: KnownSpecialDay): string =>
  `“${reason}” (${specialDayText(day).toLowerCase()}) will no longer apply. Then: ${ruleText(date) ?? 'a usual trading day'}.`;

function focusDay(box: RefObject<HTMLDivElement | null>, index: number): void {
  const buttons = box.current?.querySelectorAll<HTMLElement>('.closure-remove') ?? [];
  focusNeighbour(buttons, index, document.getElementById('admin-closures-title'));
}

const SHOWN_DAYS = 366;

/** The calendar's rules for the coming year, to compare with the exchange's announcements. */
function UsualHolidays(): ReactNode {
  const today = sydneyDate(serverNow());
  const days = Array.from({ length: SHOWN_DAYS }, (_, index) => addDays(today, index)).flatMap((date) => {
    const text = ruleText(date);
    return text === null ? [] : [{ date, text }];
  });
  return (
    <Disclosure label="Usual holidays and early closes of the next 12 months">
      <ul className="usual-holidays">
        {days.map(({ date, text }) => (
          <li key={date}>
            <span>{formatDate(date)}</span>
            <span className="muted">{text}</span>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

/** Days on which the exchange deviates from its calendar's rules. */
export function Closures(): ReactNode {
  const loaded = useLoaded(fetchClosures, ADMIN_MESSAGES.loadClosures);
  return (
    <>
      <p className="muted">
        Closures, early closes and extra trading days announced by the exchange, from today. They take effect
        immediately for the market status, sessions, alerts and price outage messages.
      </p>
      <UsualHolidays />
      <AddDayForm onDays={loaded.set} />
      <LoadedBody loaded={loaded} label="Loading market closures…">
        {(days) =>
          days.length === 0 ? (
            <EmptyState>No special closures.</EmptyState>
          ) : (
            <DayList days={days} onDays={loaded.set} />
          )
        }
      </LoadedBody>
    </>
  );
}
