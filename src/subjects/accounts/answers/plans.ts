import { choice } from '#lib/contract/fields.ts';

export const plan = choice(['free', 'basic', 'premium']);
export const paidPlan = choice(['basic', 'premium']);
