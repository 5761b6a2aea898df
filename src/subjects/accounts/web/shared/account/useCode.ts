import { useState } from 'react';
import type { Refusal } from '#lib/result.ts';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { fetchStanding } from '../secondFactor/requests.ts';

/** The code that a form asks for if two-factor login is on; a refusal for want of it shows the box too. */
export function useCode(refusal: Refusal | null) {
  const [typed, setTyped] = useState('');
  const { data } = useLoaded(fetchStanding, '');
  const isOfBox = refusal?.field === 'code';
  const isAsked = isOfBox || (data !== null && data !== 'missing' && data.on);
  return { isAsked, typed, setTyped, code: isAsked ? typed : null, error: isOfBox ? refusal.message : null };
}
