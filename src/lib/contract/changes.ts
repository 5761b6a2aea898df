import { done, notDone, nothing, text } from './fields.ts';
import { object, optional } from './objects.ts';

/** What a change is answered with that says of itself whether it was made (specification, 7.1). */
export const changed = object({ success: done, error: nothing });

/** Its refusal. */
export const notChanged = object({ success: notDone, error: text, field: optional(text) });

/** What a change is answered with that says no more than that it was made. */
export const succeeded = object({ success: done });
