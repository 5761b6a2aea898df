import { StackedTable } from '../../../ui/StackedTable.tsx';
import type { MyCall } from '../readCalls.ts';
import { MyCallRow } from './MyCallRow.tsx';
import type { RefusedAction } from './useCallActions.ts';
import './MyCallsTable.css';

type MyCallsTableProps = {
  calls: readonly MyCall[];
  isLoading: boolean;
  /** The call that a request is under way for. */
  busyId: MyCall['publicId'] | null;
  /** What was refused last; null while nothing was. */
  refused: RefusedAction | null;
  /** A refused value is being corrected. */
  onEdit(): void;
  onClose(call: MyCall, pocketed: number | null): void;
  onCancel(call: MyCall): void;
};

/** The user's own calls; on a phone each is a block of lines. */
export function MyCallsTable(props: MyCallsTableProps) {
  const { calls, isLoading, busyId, refused, onEdit, onClose, onCancel } = props;
  return (
    <StackedTable className="my-calls" isBusy={isLoading}>
      <thead>
        <tr>
          <th scope="col">Symbol</th>
          <th scope="col">Status</th>
          <th scope="col" className="is-number">
            Entry
          </th>
          <th scope="col" className="is-number">
            Target
          </th>
          <th scope="col" className="is-number">
            Pocketed
          </th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <MyCallRow
            key={call.publicId}
            call={call}
            isBusy={busyId === call.publicId}
            wrong={refused?.publicId === call.publicId ? refused.field : null}
            onEdit={onEdit}
            onClose={(pocketed) => onClose(call, pocketed)}
            onCancel={() => onCancel(call)}
          />
        ))}
      </tbody>
    </StackedTable>
  );
}
