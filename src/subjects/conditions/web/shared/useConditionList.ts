import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { type LogicKind, MAX_GROUPS } from '#subjects/conditions/rules/condition.ts';
import {
  addToGroup,
  changeCondition,
  type DraftCondition,
  groupCount,
  moveInBlocks,
  newCondition,
  newGroup,
} from '#subjects/conditions/rules/draft.ts';

type ConditionListInput = {
  conditions: readonly DraftCondition[];
  /** What the conditions belong to. */
  kind: LogicKind;
  onChange(conditions: readonly DraftCondition[]): void;
  /** Holds the rows and the button that has the focus when no row is left. */
  frame: RefObject<HTMLElement | null>;
};

/** Finds what gets the focus after a change. */
function finderIn(frame: RefObject<HTMLElement | null>) {
  const inRow = (id: number | undefined, selector: string) =>
    frame.current?.querySelector<HTMLElement>(`[data-condition="${id}"] ${selector}`);
  return {
    inRow,
    // At the end of the list the button is disabled and can't keep the focus: the one back has it then.
    moveButton: (id: number, by: -1 | 1) =>
      inRow(id, `[data-move="${by}"]:not([disabled])`) ?? inRow(id, '[data-move]:not([disabled])'),
    addButton: () => frame.current?.querySelector<HTMLElement>('[data-add]'),
  };
}

/** The changes of a list of conditions, each of which leaves the focus where the work goes on. */
export function useConditionList({ conditions, kind, onChange, frame }: ConditionListInput) {
  const [refusal, setRefusal] = useState<string | null>(null);
  const { inRow, moveButton, addButton } = finderIn(frame);
  // Only once the changed list is drawn is there something to give the focus to.
  const edit = (next: readonly DraftCondition[], focus: () => HTMLElement | null | undefined) => {
    setRefusal(null);
    flushSync(() => onChange(next));
    focus()?.focus();
  };
  const refuse = (most: number, noun: string) => setRefusal(`${kind.noun} has at most ${most} ${noun}.`);
  const add = (added: DraftCondition, next = [...conditions, added]) =>
    conditions.length >= kind.maxConditions
      ? refuse(kind.maxConditions, 'conditions')
      : edit(next, () => inRow(added.id, 'select'));
  const without = (gone: (condition: DraftCondition) => boolean) => {
    const first = conditions.findIndex(gone);
    const rest = conditions.filter((condition) => !gone(condition));
    edit(rest, () => inRow(rest[first]?.id, '[data-remove]') ?? addButton());
  };
  return {
    /** Why nothing was added; null when something was. */
    refusal,
    change: (id: number, part: Partial<DraftCondition>): void =>
      onChange(conditions.map((one) => (one.id === id ? changeCondition(one, part) : one))),
    add: (): void => add(newCondition(conditions)),
    addGroup: (): void =>
      groupCount(conditions) >= MAX_GROUPS ? refuse(MAX_GROUPS, 'groups') : add(newGroup(conditions)),
    addTo(group: number): void {
      const added = newCondition(conditions);
      add(added, addToGroup(conditions, group, added));
    },
    move: (id: number, by: -1 | 1): void => edit(moveInBlocks(conditions, id, by), () => moveButton(id, by)),
    remove: (id: number): void => without((condition) => condition.id === id),
    removeGroup: (group: number): void => without((condition) => condition.group === group),
  };
}
