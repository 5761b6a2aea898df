export type Sample = { labels: Readonly<Record<string, string>>; value: number };

/**
 * Its name by Prometheus’s rules: letters, digits and _, with the unit at the end, and `_total` for a counter;
 * a help text; and its value, or one per label. Without a value it is left out.
 */
export type Metric = readonly [
  name: string,
  help: string,
  value: number | boolean | null | readonly Sample[],
];

/** Version 0.0.4 of the text format, which every collector reads. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escapedHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapedLabel = (text: string): string => escapedHelp(text).replaceAll('"', '\\"');

function valueText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  // Rounded, to remove the errors of binary fractions.
  if (Number.isFinite(value)) return String(Number(value.toPrecision(12)));
  return value > 0 ? '+Inf' : '-Inf';
}

function sampleLine(name: string, { labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapedLabel(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${valueText(value)}`;
}

function samplesOf(value: Metric[2]): readonly Sample[] {
  if (typeof value === 'object') return value ?? [];
  return [{ labels: {}, value: Number(value) }];
}

/** Metrics in the text format of Prometheus. */
export function exposition(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(([name, help, value]) => {
    const samples = samplesOf(value);
    if (samples.length === 0) return [];
    return [
      `# HELP ${name} ${escapedHelp(help)}`,
      `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}`,
      ...samples.map((sample) => sampleLine(name, sample)),
    ];
  });
  return `${lines.join('\n')}\n`;
}

export const seconds = (ms: number): number => ms / 1000;

/** One sample per member; a label contains the member's name. Members without a value are left out. */
export const each = (label: string, values: Readonly<Record<string, number | boolean | null>>): Sample[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [{ labels: { [label]: name }, value: Number(value) }],
  );
