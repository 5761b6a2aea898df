import { describe, expect, test } from 'bun:test';
import { checkUserEdit, editedPlan, readRequestedPlan } from '#subjects/accounts/rules/userEdit.ts';

describe('an administrator’s edit of an account', () => {
  test('contains the fields sent; a blank ID unlinks, and omitted fields stay', () => {
    expect(checkUserEdit({})).toEqual({ ok: true, value: {} });
    expect(
      checkUserEdit({ telegramId: ' 4711 ', discordId: ' ', requestedSubscriptionType: 'none' }),
    ).toEqual({ ok: true, value: { telegramId: '4711', discordId: null, requestedSubscriptionType: null } });
    expect(checkUserEdit({ telegramId: 4711, discordId: null, subscriptionType: 'premium' })).toEqual({
      ok: true,
      value: { telegramId: '4711', discordId: null, subscriptionType: 'premium' },
    });
  });

  test('omits the fields that were sent unchanged', () => {
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
  ])('treats a request for %j as a request for %j', (sent, expected) => {
    expect(readRequestedPlan(sent)).toBe(expected as never);
  });
});

describe('plan and request after an edit', () => {
  const free = { subscriptionType: 'free', requestedSubscriptionType: 'premium' } as const;
  test('closes the request when the requested plan is granted, not for a lower one', () => {
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

  test('drops a request for the current plan', () => {
    expect(
      editedPlan({ ...free, subscriptionType: 'basic' }, { requestedSubscriptionType: 'basic' }),
    ).toMatchObject({ ok: false, error: { field: 'requestedSubscriptionType' } });
  });
});
