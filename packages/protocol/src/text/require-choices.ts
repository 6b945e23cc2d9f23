import { describeValue } from './describe-value.ts'
import { InvalidArgumentError } from './require-arguments.ts'

/** For some options, the words that each of them may be. */
export type OptionChoices<Options> = {
  readonly [Name in keyof Options]?: readonly Extract<Options[Name], string>[]
}

/**
 * Checks options of a public function that are one of a few words; another word would be ignored. `call` is the function as a caller writes it,
 * `formatResult(result, options)`, and `argument` is the name of the options in it. Absent options are right. Throws an `InvalidArgumentError` that
 * names the option, the words it may be, and what came.
 */
export function requireChoices<Options extends object>(
  call: string,
  argument: string,
  options: Options | undefined,
  choices: OptionChoices<Options>,
): void {
  const value: unknown = options
  if (value === undefined) return
  if (typeof value !== 'object' || value === null)
    throw new InvalidArgumentError(
      `${call}: ${argument}: expected an object, got ${describeValue(value)}`,
    )
  for (const [name, allowed] of Object.entries<readonly string[] | undefined>(choices))
    requireChoice(call, `${argument}.${name}`, Reflect.get(value, name), allowed ?? [])
}

/** Checks an argument of a public function that is one of a few words, or absent, as `requireChoices` checks options. */
export function requireChoice(
  call: string,
  argument: string,
  value: unknown,
  allowed: readonly string[],
): void {
  if (value === undefined || allowed.some((word) => word === value)) return
  const expected = allowed.map((word) => JSON.stringify(word)).join(' or ')
  throw new InvalidArgumentError(
    `${call}: ${argument}: expected ${expected}, got ${describeValue(value)}`,
  )
}
