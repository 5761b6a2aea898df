import { type ComponentProps, useCallback, useId, useState, type FormEvent, useEffect, useRef } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { fetchUser, putUser, clearSecondFactor } from './useUsers.ts';
import { PLAN_NAMES } from '#subjects/accounts/rules/upgrade.ts';
import { PLATFORM_NAMES } from '#platform/chatClients/rules/chatPlatform.ts';
import type { LinkedChat } from '#subjects/chats/web/shared/linkedChats.ts';
import { FormError } from '#ui/Banner.tsx';
import { NativeSelect, TextField } from '#ui/Field.tsx';
import type { UserDetail, User } from '../answers/users.ts';
import type { SubscriptionType } from '#platform/http/rules/accessLevel.ts';
import { checkUserEdit, editedPlan, type EditedUser } from '#subjects/accounts/rules/userEdit.ts';
import type { Refusal } from '#lib/result.ts';
import { errorOf, otherError, useSending } from '#web/shared/useSending.tsx';

type SecondFactorOfProps = {
  user: Pick<User, 'id' | 'username'>;
  onCleared(detail: UserDetail | null): void;
};

function SecondFactorOf({ user, onCleared }: SecondFactorOfProps) {
  const [isAsked, setAsked] = useState(false);
  const { refusal, isBusy, send } = useSending();
  const clear = () =>
    send(async () => onCleared(await clearSecondFactor(user.id)), ADMIN_MESSAGES.saveChanges);
  return (
    <div>
      <h3>Two-factor login</h3>
      <p className="field-help">
        {isAsked
          ? `Confirm that ${user.username} asked for this. They will then log in with only a password, and are notified in their chats.`
          : 'On. Clear it only if the user has lost both phone and recovery codes.'}
      </p>
      {isAsked ? (
        <Button variant="danger" disabled={isBusy} onClick={() => void clear()}>
          {isBusy ? 'Clearing…' : `Clear for ${user.username}`}
        </Button>
      ) : (
        <Button onClick={() => setAsked(true)}>Clear two-factor login…</Button>
      )}
      <FormError>{refusal?.message}</FormError>
    </div>
  );
}

/** The server stores 'free' as none, because it is not an upgrade. */
type RequestedChoice = 'none' | SubscriptionType;

type UserFields = {
  telegramId: string;
  discordId: string;
  requested: RequestedChoice;
  plan: SubscriptionType;
};

const orNull = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());

/** The edit to send (specification, section 7.7): a blank ID and no plan are null. */
const toEdit = ({ telegramId, discordId, requested, plan }: UserFields): EditedUser => ({
  telegramId: orNull(telegramId),
  discordId: orNull(discordId),
  requestedSubscriptionType: requested === 'none' || requested === 'free' ? null : requested,
  subscriptionType: plan,
});

const toFields = ({ user }: UserDetail): UserFields => ({
  telegramId: user.telegramId ?? '',
  discordId: user.discordId ?? '',
  requested: user.requestedSubscriptionType ?? 'none',
  plan: user.subscriptionType ?? 'free',
});

function refusalIn(edit: EditedUser, seen: EditedUser): Refusal | null {
  const checked = checkUserEdit(edit, seen);
  if (!checked.ok) return checked.error;
  const plan = editedPlan(seen, checked.value);
  return plan.ok ? null : plan.error;
}

function useUserForm(detail: UserDetail, onSaved: (saved: UserDetail | null) => void) {
  const [first] = useState(() => toFields(detail));
  const [fields, setFields] = useState(first);
  const sending = useSending();
  return {
    fields,
    sending,
    set(change: Partial<UserFields>): void {
      setFields({ ...fields, ...change });
      sending.refuse(null);
    },
    save(): void {
      const edit = toEdit(fields);
      const seen = toEdit(first);
      const wrong = refusalIn(edit, seen);
      if (wrong !== null) return sending.refuse(wrong);
      void sending.send(
        async () => onSaved(await putUser(detail.user.id, edit, seen)),
        ADMIN_MESSAGES.saveChanges,
      );
    },
  };
}

const PLANS = (['free', 'basic', 'premium'] as const).map((id) => ({ id, label: PLAN_NAMES[id] }));
const REQUESTS = [{ id: 'none' as const, label: 'None' }, ...PLANS];
const MAX_ID = 40;
const BLANK = 'Leave blank to unlink. A new ID must be confirmed in its chat before anything is sent there.';
/** Fields whose refusals appear next to them. */
const BOXES = ['telegramId', 'discordId'];

type EditUserFormProps = {
  id: string;
  detail: UserDetail;
  onSaving(isSaving: boolean): void;
  onSaved(saved: UserDetail | null): void;
};

function EditUserForm({ id, detail, onSaving, onSaved }: EditUserFormProps) {
  const form = useUserForm(detail, onSaved);
  const element = useRef<HTMLFormElement>(null);
  const { fields, sending } = form;
  const { refusal, isBusy: isSaving } = sending;
  useEffect(() => onSaving(isSaving), [onSaving, isSaving]);
  useEffect(() => {
    if (refusal !== null) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
  };
  return (
    <form ref={element} id={id} className="stack" noValidate onSubmit={submit}>
      <IdBox label="Telegram ID" field="telegramId" form={form} help={BLANK} />
      <IdBox label="Discord ID" field="discordId" form={form} />
      <NativeSelect
        label="Requested Upgrade"
        value={fields.requested}
        options={REQUESTS}
        onChoose={(requested) => form.set({ requested })}
      />
      {fields.requested === 'free' && (
        <p className="field-help">Free is not an upgrade: the request is removed.</p>
      )}
      <NativeSelect
        label="Current plan"
        value={fields.plan}
        options={PLANS}
        onChoose={(plan) => form.set({ plan })}
      />
      <p className="field-help">The plan changes immediately in all of this user’s open windows.</p>
      <Chats chats={detail.linkedChats} />
      {detail.user.hasSecondFactor && <SecondFactorOf user={detail.user} onCleared={onSaved} />}
      <FormError>{otherError(sending, BOXES)}</FormError>
    </form>
  );
}

type IdBoxProps = {
  label: string;
  field: 'telegramId' | 'discordId';
  form: ReturnType<typeof useUserForm>;
  help?: string;
};

function IdBox({ label, field, form: { fields, sending, set }, help }: IdBoxProps) {
  return (
    <TextField
      label={label}
      value={fields[field]}
      error={errorOf(sending, field)}
      help={help}
      maxLength={MAX_ID}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => set({ [field]: event.target.value })}
    />
  );
}

const stateOf = ({ confirmed, broken }: LinkedChat): string =>
  broken !== null ? `not delivered: ${broken}` : confirmed ? 'confirmed' : 'waiting for confirmation';

/** All chats of the account, if there are more than the fields show. */
function Chats({ chats }: { chats: readonly LinkedChat[] }) {
  if (chats.length === 0) return null;
  return (
    <div>
      <h3>Linked chats</h3>
      <ul className="bullets table-text break-words">
        {chats.map((chat) => (
          <li key={`${chat.platform} ${chat.id}`}>
            {PLATFORM_NAMES[chat.platform]} {chat.id}
            {chat.label === chat.id ? '' : ` (${chat.label})`}: {stateOf(chat)}
          </li>
        ))}
      </ul>
    </div>
  );
}

type EditUserDialogProps = {
  userId: number;
  onClose(): void;
  onSaved: ComponentProps<typeof EditUserForm>['onSaved'];
};

export function EditUserDialog({ userId, onClose, onSaved }: EditUserDialogProps) {
  const formId = useId();
  const [isSaving, setSaving] = useState(false);
  const load = useCallback(() => fetchUser(userId), [userId]);
  const loaded = useLoaded(load, ADMIN_MESSAGES.loadUser);
  const close = () => {
    if (!isSaving) onClose();
  };
  return (
    <DialogSheet
      open
      title={loaded.data === null ? 'Edit user' : `Edit user ${loaded.data.user.username}`}
      onClose={close}
      footer={
        <>
          <Button disabled={isSaving} onClick={close}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={formId} disabled={loaded.data === null || isSaving}>
            {isSaving ? 'Saving…' : 'Save'}
          </Button>
        </>
      }
    >
      <LoadedBody loaded={loaded} label="Loading user…">
        {(detail) => <EditUserForm id={formId} detail={detail} onSaving={setSaving} onSaved={onSaved} />}
      </LoadedBody>
    </DialogSheet>
  );
}
