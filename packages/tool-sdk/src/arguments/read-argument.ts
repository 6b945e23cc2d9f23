import type { UntypedArguments } from '../schemas/schema.ts'

/** A call whose arguments have no types: of a tool with `parameters`. */
export interface UntypedCall {
  readonly arguments: UntypedArguments
}

/** Reads an argument that must be there. Throws where it is not, which fails the call and says so. */
export function required(call: UntypedCall, name: string): unknown {
  const value = optional(call, name)
  if (value !== undefined) return value
  throw new Error(`the argument ${JSON.stringify(name)} is missing`)
}

/** Reads an argument that may be absent; `null` reads as absent too. */
export function optional(call: UntypedCall, name: string): unknown {
  const { arguments: values } = call
  return (Object.hasOwn(values, name) ? values[name] : undefined) ?? undefined
}
