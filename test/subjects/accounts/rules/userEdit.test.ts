import { describe, expect, test } from 'bun:test';
import { checkUserEdit, editedPlan, readRequestedPlan } from '#subjects/accounts/rules/userEdit.ts';

describe('what an administrator edits of an account', () => {
  test('is what was sent; a blank ID means unlinked, and what is left out stays', () => {
    expect(checkUserEdit({})).toEqual({ ok: true, value: {} });
    expect(
      checkUserEdit({ telegramId: ' 4711 ', discordId: ' ', requestedSubscriptionType: 'none' }),
    ).toEqual({ ok: true, value: { telegramId: '4711', discordId: null, requestedSubscriptionType: null } });
    expect(checkUserEdit({ telegramId: 4711, discordId: null, subscriptionType: 'premium' })).toEqual({
      ok: true,
      value: { telegramId: '4711', discordId: null, subscriptionType: 'premium' },
    });
  });

  test('leaves out what was sent as it was seen', () => {
    const seen = { telegramId: '1', discordId: null, requestedSubscriptionType: null };
    expect(checkUserEdit({ ...seen, discordId: '80351110224678912' }, seen)).toEqual({
      ok: true,
      value: { discordId: '80351110224678912' },
    });
  });

  test.each([
    [{ telegramId: 'x' }, 'telegramId'],
    [{ telegramId: [] }, 'telegramId'],
    [{ discordId: '18446744073709551616' }, 'discordId'],
    [{ requestedSubscriptionType: 'gold' }, 'requestedSubscriptionType'],
    [{ subscriptionType: 'none' }, 'subscriptionType'],
  ])('refuses %j', (sent, field) => {
    expect(checkUserEdit(sent)).toMatchObject({ ok: false, error: { field } });
  });

  test.each([
    ['basic', 'basic'],
    ['PREMIUM', 'premium'],
    ['free', null],
    ['none', null],
    [null, null],
    ['', null],
    ['gold', undefined],
    [3, undefined],
  ])('a request for %j is one for %j', (sent, expected) => {
    expect(readRequestedPlan(sent)).toBe(expected as never);
  });
});

describe('plan and request after an edit', () => {
  const free = { subscriptionType: 'free', requestedSubscriptionType: 'premium' } as const;
  test('the request is closed by the plan it asked for, not by a lower one', () => {
    expect(editedPlan(free, { subscriptionType: 'premium' })).toEqual({
      ok: true,
      value: { subscriptionType: 'premium', requestedSubscriptionType: null },
    });
    expect(editedPlan(free, { subscriptionType: 'basic' })).toEqual({
      ok: true,
      value: { subscriptionType: 'basic', requestedSubscriptionType: 'premium' },
    });
    expect(editedPlan(free, {})).toEqual({ ok: true, value: free });
    expect(editedPlan(free, { requestedSubscriptionType: null })).toMatchObject({
      value: { requestedSubscriptionType: null },
    });
  });

  test('nobody asks for what they have', () => {
    expect(
      editedPlan({ ...free, subscriptionType: 'basic' }, { requestedSubscriptionType: 'basic' }),
    ).toMatchObject({ ok: false, error: { field: 'requestedSubscriptionType' } });
  });
});
