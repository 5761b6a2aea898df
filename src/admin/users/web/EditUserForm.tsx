import { type FormEvent, useEffect, useRef } from 'react';
import { PLAN_NAMES } from '../../../subjects/accounts/rules/upgrade.ts';
import { PLATFORM_NAMES } from '../../../subjects/chats/rules/chatPlatform.ts';
import type { LinkedChat } from '../../../subjects/chats/web/shared/linkedChats.ts';
import { FormError } from '../../../../web/ui/FormError.tsx';
import { NativeSelect } from '../../../../web/ui/NativeSelect.tsx';
import { TextField } from '../../../../web/ui/TextField.tsx';
import './EditUserForm.css';
import type { UserDetail } from './readUsers.ts';
import { useUserForm } from './useUserForm.ts';

const PLANS = (['free', 'basic', 'premium'] as const).map((id) => ({ id, label: PLAN_NAMES[id] }));
const REQUESTS = [{ id: 'none' as const, label: 'None' }, ...PLANS];
const MAX_ID = 40;
const BLANK = 'Leave blank to unlink. A new ID must be confirmed in its chat before anything is sent there.';
/** Their refusals stand beside the box. */
const BOXES = ['telegramId', 'discordId'];

type EditUserFormProps = {
  id: string;
  detail: UserDetail;
  onSaving(isSaving: boolean): void;
  onSaved(saved: UserDetail | null): void;
};

/** The form in the dialog of one account. */
export function EditUserForm({ id, detail, onSaving, onSaved }: EditUserFormProps) {
  const form = useUserForm(detail, onSaved);
  const element = useRef<HTMLFormElement>(null);
  const { fields, refusal, isSaving } = form;
  const at = (field: string) => (refusal?.field === field ? refusal.message : null);
  const isElsewhere = refusal !== null && !BOXES.includes(refusal.field ?? '');
  useEffect(() => onSaving(isSaving), [onSaving, isSaving]);
  useEffect(() => {
    if (refusal !== null) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.save();
  };
  return (
    <form ref={element} id={id} className="edit-user" noValidate onSubmit={submit}>
      <TextField
        label="Telegram ID"
        value={fields.telegramId}
        error={at('telegramId')}
        help={BLANK}
        maxLength={MAX_ID}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => form.set({ telegramId: event.target.value })}
      />
      <TextField
        label="Discord ID"
        value={fields.discordId}
        error={at('discordId')}
        maxLength={MAX_ID}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => form.set({ discordId: event.target.value })}
      />
      <NativeSelect
        label="Requested Upgrade"
        value={fields.requested}
        options={REQUESTS}
        onChoose={(requested) => form.set({ requested })}
      />
      {fields.requested === 'free' && (
        <p className="field-help">Free is not an upgrade, so it means no request.</p>
      )}
      <NativeSelect
        label="Current plan"
        value={fields.plan}
        options={PLANS}
        onChoose={(plan) => form.set({ plan })}
      />
      <p className="field-help">The plan changes at once, in all of this user’s open windows.</p>
      <Chats chats={detail.linkedChats} />
      <FormError>{isElsewhere ? refusal.message : null}</FormError>
    </form>
  );
}

const stateOf = ({ confirmed, broken }: LinkedChat): string =>
  broken !== null ? `not delivered: ${broken}` : confirmed ? 'confirmed' : 'waiting for confirmation';

/** All chats of the account, where there is more than the boxes tell. */
function Chats({ chats }: { chats: readonly LinkedChat[] }) {
  if (chats.length === 0) return null;
  return (
    <div>
      <h3>Linked chats</h3>
      <ul className="edit-user-chats">
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
