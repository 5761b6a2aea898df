import { type ReactNode, useId, useState } from 'react';
import { alertCount } from '#subjects/alerts/rules/manyAlerts.ts';
import { MAX_GROUP_NAME } from '#subjects/alerts/answers/options.ts';
import { Button } from '#ui/Button.tsx';
import { DialogSheet } from '#ui/DialogSheet.tsx';
import { TextField } from '#ui/Field.tsx';

type GroupDialogProps = {
  count: number;
  groups: readonly string[];
  onChoose(group: string | null): void;
  onClose(): void;
};

export function GroupDialog({ count, groups, onChoose, onClose }: GroupDialogProps): ReactNode {
  const [typed, setTyped] = useState('');
  const listId = useId();
  const group = typed.trim();
  const choose = () => onChoose(group || null);
  return (
    <DialogSheet
      open
      title={`Group of ${alertCount(count)}`}
      width="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={choose}>
            {group === '' ? 'Remove from groups' : `Add to ${group}`}
          </Button>
        </>
      }
    >
      <TextField
        label="Group (empty for none)"
        value={typed}
        maxLength={MAX_GROUP_NAME}
        list={listId}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && choose()}
      />
      <datalist id={listId}>
        {groups.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </DialogSheet>
  );
}
