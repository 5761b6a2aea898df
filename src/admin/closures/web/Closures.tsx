import { type FormEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { messageOf, refusalOf, request } from '#web/api/client.ts';
import { serverNow } from '#web/live/market.ts';
import { Banner, FormError } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { NativeSelect, TextField } from '#ui/Field.tsx';
import type { Refusal } from '#lib/result.ts';
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
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';
import { LateConfirm } from '#web/shared/lateStyles.ts';

const fetchClosures = async (): Promise<KnownSpecialDay[]> =>
  (await request('GET /api/admin/market-closures', { read: closuresAnswer.read })).days;

type ClosuresState = {
  loaded: Loaded<KnownSpecialDay[]>;
  error: string | null;
  dismiss(): void;
  /** @throws ApiError with the server's refusal */
  add(day: SpecialDay): Promise<void>;
  remove(date: string): Promise<boolean>;
};

function useClosures(): ClosuresState {
  const loaded = useLoaded(fetchClosures, ADMIN_MESSAGES.loadClosures);
  const [error, setError] = useState<string | null>(null);
  return {
    loaded,
    error,
    dismiss: () => setError(null),
    async add({ closesAt, ...day }) {
      const body = closesAt === null ? day : { ...day, closesAt };
      loaded.set(
        (
          await asAdminAction(
            'other',
            request('POST /api/admin/market-closures', { body, read: closuresAnswer.read }),
          )
        ).days,
      );
    },
    async remove(date) {
      setError(null);
      try {
        const left = await asAdminAction(
          'other',
          request('DELETE /api/admin/market-closures/:date', { params: { date }, read: closuresAnswer.read }),
        );
        loaded.set(left.days);
        return true;
      } catch (problem) {
        setError(messageOf(problem, ADMIN_MESSAGES.removeClosure));
        return false;
      }
    },
  };
}

const KINDS: readonly { id: SpecialDay['kind']; label: string }[] = [
  { id: 'closed', label: 'Closed' },
  { id: 'early', label: 'Early close' },
  { id: 'normal', label: 'Usual trading day' },
];

type Typed = { date: string; kind: SpecialDay['kind']; closesAt: string; reason: string };
const NOTHING: Typed = { date: '', kind: 'closed', closesAt: '14:10', reason: '' };

function useNewDay(add: ClosuresState['add']) {
  const [typed, setTyped] = useState(NOTHING);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const dateBox = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const checked = checkSpecialDay(typed);
    if (!checked.ok) return setRefusal(checked.error);
    const reason = redundancy(checked.value);
    if (reason !== null) return setRefusal({ field: 'date', message: reason });
    setRefusal(null);
    setBusy(true);
    try {
      await add(checked.value);
      setTyped(NOTHING);
      dateBox.current?.focus();
    } catch (problem) {
      setRefusal(refusalOf(problem, ADMIN_MESSAGES.addClosure));
    }
    setBusy(false);
  };
  const type = (part: Partial<Typed>): void => {
    setTyped((before) => ({ ...before, ...part }));
    setRefusal(null);
  };
  return { typed, refusal, isBusy, dateBox, submit, type };
}

const FIELDS = ['date', 'closesAt', 'reason'];

type DayFieldsProps = Pick<ReturnType<typeof useNewDay>, 'typed' | 'refusal' | 'dateBox' | 'type'>;

function DayFields({ typed, refusal, dateBox, type }: DayFieldsProps): ReactNode {
  const errorOf = (field: string): string | null => (refusal?.field === field ? refusal.message : null);
  const usual = typed.date === '' ? null : ruleText(typed.date);
  return (
    <>
      <TextField
        ref={dateBox}
        type="date"
        label="Date"
        value={typed.date}
        error={errorOf('date')}
        help={usual && `Usually: ${usual}`}
        onChange={(event) => type({ date: event.target.value })}
      />
      <NativeSelect label="Market" value={typed.kind} options={KINDS} onChoose={(kind) => type({ kind })} />
      {typed.kind === 'early' && (
        <TextField
          type="time"
          label="Trading ends (Sydney)"
          value={typed.closesAt}
          error={errorOf('closesAt')}
          onChange={(event) => type({ closesAt: event.target.value })}
        />
      )}
      <TextField
        label="Reason"
        value={typed.reason}
        maxLength={MAX_REASON}
        autoComplete="off"
        error={errorOf('reason')}
        onChange={(event) => type({ reason: event.target.value })}
      />
    </>
  );
}

function AddDayForm({ add }: Pick<ClosuresState, 'add'>): ReactNode {
  const { isBusy, submit, ...fields } = useNewDay(add);
  const { refusal } = fields;
  return (
    <form className="stack self-stretch" noValidate onSubmit={(event) => void submit(event)}>
      <div className="form-row">
        <DayFields {...fields} />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? 'Adding…' : 'Add'}
        </Button>
      </div>
      {refusal !== null && !FIELDS.includes(refusal.field ?? '') && <FormError>{refusal.message}</FormError>}
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
function DayList({ days, state }: { days: readonly KnownSpecialDay[]; state: ClosuresState }): ReactNode {
  const [asked, ask] = useState<KnownSpecialDay | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const today = sydneyDate(serverNow());
  const coming = days.filter(({ date }) => date >= today);
  const over = days.filter(({ date }) => date < today).toReversed();
  return (
    <>
      {state.error !== null && <Banner onDismiss={state.dismiss}>{state.error}</Banner>}
      <RecordTable ref={box} label="Market closures" headings={HEADINGS}>
        {[...coming, ...over].map((day) => (
          <DayRow key={day.date} day={day} isOver={day.date < today} onAsk={ask} />
        ))}
      </RecordTable>
      {asked && (
        <RemovalDialog
          day={asked}
          remove={state.remove}
          onClose={(isGone) => {
            ask(null);
            if (isGone) setTimeout(() => focusDay(box, coming.indexOf(asked)), 0);
          }}
        />
      )}
    </>
  );
}

type RemovalDialogProps = Pick<ClosuresState, 'remove'> & {
  day: KnownSpecialDay;
  onClose(isGone: boolean): void;
};

function RemovalDialog({ day, remove, onClose }: RemovalDialogProps): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    onClose(await remove(day.date));
  };
  const before = `“${day.reason}” (${specialDayText(day).toLowerCase()}) will no longer apply.`;
  return (
    <LateConfirm
      open
      title={`Remove ${formatDate(day.date)}?`}
      action="Remove"
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onCancel={() => onClose(false)}
    >
      <p>{`${before} Then: ${ruleText(day.date) ?? 'a usual trading day'}.`}</p>
    </LateConfirm>
  );
}

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
  const state = useClosures();
  return (
    <>
      <p className="muted">
        Closures, early closes and extra trading days announced by the exchange, from today. They take effect
        immediately for the market status, sessions, alerts and price outage messages.
      </p>
      <UsualHolidays />
      <AddDayForm add={state.add} />
      <LoadedBody loaded={state.loaded} label="Loading market closures…">
        {(days) =>
          days.length === 0 ? (
            <EmptyState>No special closures.</EmptyState>
          ) : (
            <DayList days={days} state={state} />
          )
        }
      </LoadedBody>
    </>
  );
}
