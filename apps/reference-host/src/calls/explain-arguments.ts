import { pointerSteps, type JsonSchema, type Problem } from '@toolblocks/protocol'
import { didYouMeanOneOf } from '../did-you-mean.ts'
import type { TypedArguments } from './read-arguments.ts'

/** Problems of arguments in the words of the options they were typed with, one line each. */
export function explainArguments(
  problems: readonly Problem[],
  typed: TypedArguments,
  schema: JsonSchema,
): readonly string[] {
  const keys = new Set((typed.arg ?? []).map((pair) => pair.slice(0, pair.indexOf('='))))
  return problems.map((problem) => {
    const [key = '', ...below] = pointerSteps(problem.path)
    if (problem.code === 'required' && below.length === 0)
      return `the argument "${key}" is missing; give it as --arg ${key}=… or with --arguments`
    const option = keys.has(key)
      ? `--arg ${[key, ...below].join('.')}`
      : `--arguments ${problem.path}`
    const isUnknown = problem.code === 'additionalProperties' && below.length === 0
    const names = isUnknown ? namesOf(schema) : []
    return isUnknown
      ? `${option}: is not an argument of this tool${didYouMeanOneOf(key, names, 'it takes')}`
      : `${option.trim()}: ${problem.message}`
  })
}

/** The names of the arguments that a schema lists. */
export function namesOf(schema: JsonSchema): readonly string[] {
  const properties = typeof schema === 'object' ? schema['properties'] : undefined
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}
