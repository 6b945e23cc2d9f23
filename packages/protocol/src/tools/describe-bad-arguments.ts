import type { Problem } from '../problem.ts'

/** Says to a model what to change in the arguments of a call: each field, what was expected, what came. */
export function describeBadArguments(tool: string, problems: readonly Problem[]): string {
  const lines = problems.map((problem) => `- ${problem.path || '(arguments)'}: ${problem.message}`)
  return [
    `Invalid arguments for the tool ${JSON.stringify(tool)}; the call was not run.`,
    ...lines,
    'Correct these arguments and call the tool again.',
  ].join('\n')
}
