import LinkIcon from 'lucide-react/icons/link-2';
import type { CSSProperties, ReactNode } from 'react';
import { LINK_GROUPS, readLinkChoice } from './linkGroups.ts';
import { joinGroup, linkGroup } from './linkedWindows.ts';
import './GroupChip.css';

const LEADS = 'Charts in this group’s windows show the stock you choose here';
const FOLLOWS = 'Shows the stock chosen in this group’s windows';

type GroupChipProps = {
  /** True for a chart window, which follows; other windows lead. */
  isChart?: boolean;
};

/** Shows the window's group by number and colour, with a native list to change it. */
export function GroupChip({ isChart = false }: GroupChipProps): ReactNode {
  const chosen = linkGroup.value;
  const group = LINK_GROUPS.find(({ id }) => id === chosen);
  return (
    <span
      className="group-chip"
      data-group={chosen}
      style={{ '--group': `var(--group-${chosen})` } as CSSProperties}
      title={isChart ? FOLLOWS : LEADS}
    >
      <span className="group-chip-mark center" aria-hidden="true">
        {group?.number ?? '–'}
      </span>
      {isChart ? (
        <span aria-hidden="true">{group?.name ?? 'Not linked'}</span>
      ) : (
        <LinkIcon size={14} aria-hidden />
      )}
      <select
        aria-label="Linked windows"
        value={chosen}
        onChange={({ target }) => joinGroup(readLinkChoice(target.value) ?? 'none')}
      >
        <option value="none">Not linked</option>
        {LINK_GROUPS.map(({ id, number, name }) => (
          <option key={id} value={id}>{`${number} ${name}`}</option>
        ))}
      </select>
    </span>
  );
}
