import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { type LogicKind, MAX_GROUPS } from '../../rules/condition.ts';
import {
  addToGroup,
  changeCondition,
  type DraftCondition,
  groupCount,
  moveInBlocks,
  newCondition,
  newGroup,
} from '../../rules/draft.ts';

type ConditionListInput = {
  conditions: readonly DraftCondition[];
  /** What the conditions belong to. */
  kind: LogicKind;
  onChange(conditions: readonly DraftCondition[]): void;
  /** Holds the rows and the button that has the focus when no row is left. */
  frame: RefObject<HTMLElement | null>;
};

/** The changes of a list of conditions, each of which leaves the focus where the work goes on. */
export function useConditionList({ conditions, kind, onChange, frame }: ConditionListInput) {
  const [refusal, setRefusal] = useState<string | null>(null);
  // Only once the list is drawn anew is there something to give the focus to.
  const edit = (next: readonly DraftCondition[], focus: () => HTMLElement | null | undefined) => {
    setRefusal(null);
    flushSync(() => onChange(next));
    focus()?.focus();
  };
  const inRow = (id: number | undefined, selector: string) =>
    frame.current?.querySelector<HTMLElement>(`[data-condition="${id}"] ${selector}`);
  const addButton = () => frame.current?.querySelector<HTMLElement>('[data-add]');
  const add = (added: DraftCondition, next: readonly DraftCondition[]) =>
    conditions.length >= kind.maxConditions
      ? setRefusal(`${kind.noun} has at most ${kind.maxConditions} conditions.`)
      : edit(next, () => inRow(added.id, 'select'));
  const without = (gone: (condition: DraftCondition) => boolean) => {
    const first = conditions.findIndex(gone);
    const rest = conditions.filter((condition) => !gone(condition));
    edit(rest, () => inRow(rest[first]?.id, '[data-remove]') ?? addButton());
  };

  return {
    /** Why nothing was added; null when something was. */
    refusal,
    change(id: number, part: Partial<DraftCondition>): void {
      onChange(conditions.map((one) => (one.id === id ? changeCondition(one, part) : one)));
    },
    add(): void {
      const added = newCondition(conditions);
      add(added, [...conditions, added]);
    },
    addGroup(): void {
      if (groupCount(conditions) >= MAX_GROUPS) {
        return setRefusal(`${kind.noun} has at most ${MAX_GROUPS} groups.`);
      }
      const added = newGroup(conditions);
      add(added, [...conditions, added]);
    },
    addTo(group: number): void {
      const added = newCondition(conditions);
      add(added, addToGroup(conditions, group, added));
    },
    move(id: number, by: -1 | 1): void {
      // At the end of the way the button is disabled and can't keep the focus: the one back has it then.
      edit(
        moveInBlocks(conditions, id, by),
        () => inRow(id, `[data-move="${by}"]:not([disabled])`) ?? inRow(id, '[data-move]:not([disabled])'),
      );
    },
    remove: (id: number): void => without((condition) => condition.id === id),
    removeGroup: (group: number): void => without((condition) => condition.group === group),
  };
}
