import { type ComponentProps, useCallback, useId, useState } from 'react';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { Button } from '../../../../web/ui/Button.tsx';
import { DialogSheet } from '../../../../web/ui/DialogSheet.tsx';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { useLoaded } from '../../../../web/shared/useLoaded.ts';
import { fetchUser } from './api.ts';
import { EditUserForm } from './EditUserForm.tsx';

type EditUserDialogProps = {
  userId: number;
  onClose(): void;
  onSaved: ComponentProps<typeof EditUserForm>['onSaved'];
};

/** Edits one account: its chats, what plan it asks for, and its plan. */
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
