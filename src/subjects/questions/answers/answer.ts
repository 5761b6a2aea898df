import { anyOf, anything, boolean, count, type Field, list, map, text } from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { readCount } from '#lib/read.ts';
import { QUESTION_LEVELS, type QuestionLevel } from '../rules/question.ts';

const level: Field<QuestionLevel, number | null> = {
  form: { is: 'choice', of: QUESTION_LEVELS },
  read: readCount,
};

/** `ok` is false if the call returned no data. */
export const toolUse = object(
  {
    name: text,
    // An object; or the model's text if that is not an object.
    arguments: anyOf([map(anything), text], (value) => value),
    ms: count,
    ok: boolean,
  },
  ['name'],
);

export const askAnswer = object({
  response: text,
  meta: always(
    object({
      model: text,
      promptTokens: count,
      completionTokens: count,
      ms: count,
      tools: list(toolUse),
      level,
    }),
  ),
});
