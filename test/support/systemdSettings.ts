/** Reads a file of settings as `EnvironmentFile=` of systemd does (`parse_env_file` of systemd 252), see systemd.exec(5). */
export function systemdSettings(file: string): Record<string, string> {
  const settings: Record<string, string> = {};
  const lines = file.replaceAll(/\\\n/g, '').split('\n');
  for (const line of lines) {
    const [, name, given] = /^\s*([^#;\s=][^=]*)=(.*)$/.exec(line) ?? [];
    if (name === undefined || given === undefined) continue;
    let value = '';
    // Quotes count only before the first character of a bare value. What follows it, a comment too, is a part of the value.
    let rest = given.trimStart();
    for (let quote = rest[0]; quote === '"' || quote === "'"; quote = rest[0]) {
      const quoted = (quote === '"' ? /^"((?:\\.|[^"\\])*)"/ : /^'([^']*)'/).exec(rest);
      if (quoted === null) throw new Error(`A quote is not closed: ${line}`);
      value += quote === '"' ? (quoted[1] ?? '').replaceAll(/\\(["\\`$])/g, '$1') : quoted[1];
      rest = rest.slice(quoted[0].length).trimStart();
    }
    settings[name.trim()] = value + rest.trimEnd().replaceAll(/\\(.)/g, '$1');
  }
  return settings;
}
