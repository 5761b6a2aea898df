import { TextField } from '#ui/Field.tsx';

type CodeFieldProps = {
  value: string;
  isRecovery?: boolean;
  isWrong?: boolean;
  error?: string | null;
  help?: string;
  onType(code: string): void;
};

/** The box for a code. What is pasted may have blanks, so its length is not limited here. */
export function CodeField({
  value,
  isRecovery = false,
  isWrong = false,
  error,
  help,
  onType,
}: CodeFieldProps) {
  const kind = isRecovery
    ? ({ label: 'Recovery code', autoComplete: 'off', autoCapitalize: 'characters' } as const)
    : ({ label: 'Code', autoComplete: 'one-time-code', inputMode: 'numeric' } as const);
  return (
    <TextField
      {...kind}
      name="code"
      spellCheck={false}
      required
      value={value}
      error={error ?? null}
      help={help}
      {...(isWrong && { 'aria-invalid': true })}
      onChange={({ target }) => onType(target.value)}
    />
  );
}
