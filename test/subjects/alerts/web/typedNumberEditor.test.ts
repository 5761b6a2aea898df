import { describe, expect, test } from 'bun:test';
import { isUnsaved } from '../../../../src/subjects/alerts/web/watchlist/alerts/editorState.ts';
import { aSavedAlert, logicOver, ofNew, ofSaved, over } from '../../../support/watchedAlerts.ts';

describe('a number under the cursor', () => {
  const typing = { condition: 0, value: 5 };

  test('is no change, and keeps what else was changed of the conditions back with it', async () => {
    const { editor, timers, sent, last, state } = ofSaved();
    editor.type({ conditions: [{ ...over(50), op: '<' }] });
    editor.setTyping(typing);
    timers.pass(5000);
    editor.flush();
    expect(sent).toHaveLength(0);
    expect(isUnsaved(state())).toBe(true);
    editor.choose({ persistent: true });
    expect(last().step).toMatchObject({ payload: { persistent: true, logic_json: logicOver(50) } });
    await last().answer({ alert: aSavedAlert({ persistent: true, version: 2 }) });
    expect(sent).toHaveLength(1);
    editor.setTyping(null);
    editor.type({ conditions: [{ ...over(60), op: '<' }] });
    timers.pass(500);
    expect(last().step).toMatchObject({
      payload: { logic_json: { conditions: [{ op: '<', rhs: { value: 60 } }] } },
    });
  });

  test('that is given up lets go of what waited for it', () => {
    const { editor, timers, last } = ofSaved();
    editor.type({ conditions: [{ ...over(50), op: '<' }] });
    editor.setTyping(typing);
    timers.pass(5000);
    editor.setTyping(null);
    timers.pass(500);
    expect(last().step).toMatchObject({ payload: { logic_json: { conditions: [{ op: '<' }] } } });
  });

  test('of a new alert creates none', () => {
    const { editor, timers, sent } = ofNew();
    editor.setTyping(typing);
    editor.type({ name: 'Breakout', conditions: [over(50)] });
    timers.pass(5000);
    expect(sent).toHaveLength(0);
  });
});
