import { StackedTable } from '../../../../../web/ui/StackedTable.tsx';
import type { MyCall } from '../api.ts';
import { MyCallRow } from './MyCallRow.tsx';
import type { CallActions } from './useCallActions.ts';
import './MyCallsTable.css';

type MyCallsTableProps = { calls: readonly MyCall[]; isLoading: boolean; actions: CallActions };

/** The user's own calls; on a phone each is a block of lines. */
export function MyCallsTable({ calls, isLoading, actions }: MyCallsTableProps) {
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
          <MyCallRow key={call.publicId} call={call} actions={actions} />
        ))}
      </tbody>
    </StackedTable>
  );
}
