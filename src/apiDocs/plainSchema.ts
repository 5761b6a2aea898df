import { isRecord } from '../lib/json.ts';

/** What only our own checks know of a schema, and what an older OpenAPI said of null. */
const LEFT_OUT = new Set(['error', 'transform', 'nullable']);

/** A number as text or as a number, which is how numbers of an address are checked. */
const isNumericText = (one: unknown): boolean =>
  isRecord(one) && (one['format'] === 'numeric' || one['format'] === 'integer');

function alternatives(list: unknown[]): unknown {
  const kept = list.filter((one) => !isNumericText(one));
  return kept.length === 1 && kept.length < list.length ? plainSchema(kept[0]) : null;
}

/**
 * A schema as a reader of the document knows it: a JSON Schema. What only our checks know is left out; a sentence that a
 * refused value is answered with becomes the description of the value where that has none.
 *
 * @param schema of a route, as the plugin gives it
 */
export function plainSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (!isRecord(schema)) return schema;
  const single = Array.isArray(schema['anyOf']) ? alternatives(schema['anyOf']) : null;
  if (single !== null) return single;
  const plain: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(key) || value === undefined || typeof value === 'function') continue;
    // Members may have any name, those of our own keywords too.
    plain[key] =
      key === 'properties' && isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainSchema(member)]))
        : plainSchema(value);
  }
  // A choice brings its first value as a default, which no route means: what is sent is never filled in by it.
  if (Array.isArray(plain['enum']) && plain['default'] === plain['enum'][0]) delete plain['default'];
  // The plugin adds null to the types alone.
  const { type, enum: values } = plain;
  if (Array.isArray(type) && type.includes('null') && Array.isArray(values) && !values.includes(null)) {
    plain['enum'] = [...(values as unknown[]), null];
  }
  const sentence = schema['error'];
  if (typeof sentence === 'string' && plain['description'] === undefined) {
    plain['description'] = `Otherwise refused: “${sentence}”`;
  }
  return plain;
}
