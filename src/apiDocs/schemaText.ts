import { isRecord } from '../lib/json.ts';

const literal = (value: unknown): string => JSON.stringify(value);

function objectText(schema: Record<string, unknown>, indent: string): string {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(
    ([name, one]) => `${inner}${name}${required.has(name) ? '' : '?'}: ${schemaText(one, inner)}`,
  );
  const rest = schema['patternProperties'] ?? schema['additionalProperties'];
  if (isRecord(rest)) {
    const one: unknown = schema['patternProperties'] ? Object.values(rest)[0] : rest;
    lines.push(`${inner}[name]: ${schemaText(one, inner)}`);
  }
  return lines.length === 0 ? 'object' : `{\n${lines.join('\n')}\n${indent}}`;
}

function typeText(schema: Record<string, unknown>, type: string, indent: string): string {
  if (type === 'object') return objectText(schema, indent);
  if (type === 'array') return `list of ${schemaText(schema['items'], indent)}`;
  if (schema['format'] === 'date-time') return 'time (ISO 8601)';
  return type;
}

/** A JSON Schema in a form that people read at a glance; anything that is not understood is `anything`. */
export function schemaText(schema: unknown, indent = ''): string {
  if (typeof schema === 'string') return schema;
  if (!isRecord(schema)) return 'anything';
  if (typeof schema['$ref'] === 'string') return schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1);
  if (schema['const'] !== undefined) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ');
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union)) return union.map((one) => schemaText(one, indent)).join(' | ');
  const type = schema['type'];
  if (Array.isArray(type)) return type.map((one) => typeText(schema, String(one), indent)).join(' | ');
  return typeof type === 'string' ? typeText(schema, type, indent) : 'anything';
}
