import { type InputRequest, type Problem, isSecret } from '@toolblocks/protocol'

/** Why an answer does not fit, in one line that may be stored: a problem names the value, which a secret must not be. */
export function describeMisfit(request: InputRequest, problems: readonly Problem[]): string {
  if (isSecret(request)) return 'it is a secret, so it is not shown'
  return problems.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
}
