import { board } from '../state.ts';
import { sourceLabel } from './sourceLabel.ts';
import { SubmitterTable } from './SubmitterTable.tsx';

/** Submitters of calls made on sources that do not run now: a table each, as their results can't be compared. */
export function OtherRanks() {
  const others = board.value.data?.otherLeaderboards ?? [];
  return others.map(({ source, leaderboard }) => (
    <SubmitterTable
      key={source}
      title={`Other Source: ${sourceLabel(source)}`}
      source={null}
      rows={leaderboard}
    />
  ));
}
