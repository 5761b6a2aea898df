import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isRecord } from '../../src/lib/json.ts';

const DOCUMENT = 'document';

/** A schema that refers to the document by name, and has no room for members that it does not name. */
function prepared(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => prepared(one));
  if (!isRecord(schema)) return schema;
  const { $ref } = schema;
  if (typeof $ref === 'string') return { $ref: `${DOCUMENT}${$ref}` };
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, prepared(value)]));
  const isOpen = 'additionalProperties' in schema || 'patternProperties' in schema;
  return schema['type'] === 'object' && isRecord(schema['properties']) && !isOpen
    ? { ...inner, additionalProperties: false }
    : inner;
}

/**
 * Checks values against schemas of an OpenAPI document. A member that the schema does not name is wrong too.
 *
 * @param components of the document, which its schemas refer to
 * @returns a function from a schema and a value to what is wrong, empty when it fits
 */
export function createSchemaCheck(components: unknown): (schema: unknown, value: unknown) => string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false });
  addFormats(ajv);
  ajv.addSchema({ $id: DOCUMENT, components: prepared(components) });
  return (schema, value) => {
    const check = ajv.compile(prepared(schema) as object);
    if (check(value)) return [];
    return (check.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}
