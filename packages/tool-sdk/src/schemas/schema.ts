import type { Static, TSchema } from 'typebox'

/**
 * What Zod, ArkType and others say of their schemas (Standard Schema, with the JSON Schema of Standard JSON Schema). A Valibot
 * schema becomes one with `toStandardJsonSchema` of `@valibot/to-json-schema`.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate?: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly jsonSchema: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
    }
  }
}

/** What a schema library says of a value. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One thing that is wrong with it. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** What TypeBox makes. */
interface TypeBoxSchema {
  readonly '~standard'?: never
  readonly $ref?: unknown
  readonly type?: unknown
  readonly allOf?: unknown
  readonly anyOf?: unknown
}

/** A JSON Schema by hand. */
interface SchemaDocument {
  readonly '~standard'?: never
  readonly [keyword: string]: unknown
}

/** What describes a value: a schema of TypeBox, of a library with Standard JSON Schema, or a JSON Schema. */
export type Schema = StandardSchema | TypeBoxSchema | SchemaDocument

/** Arguments of which nothing is known. */
type UntypedArguments = Readonly<Record<string, unknown>>

/** Arguments as a caller gives them: those with a default may be left out. */
export type InputOf<Given extends Schema | undefined> =
  Given extends StandardSchema<infer Input, infer _Output>
    ? Input
    : WithOptional<StaticOf<Given>, Defaulted<Given>>

/** Arguments as the tool gets them: with the defaults, and with what the schema library makes of them. */
export type OutputOf<Given extends Schema | undefined> =
  Given extends StandardSchema<infer _Input, infer Output>
    ? Output
    : WithRequired<StaticOf<Given>, Defaulted<Given>>

/** Structured content as a tool returns it: nobody fills in its defaults. */
export type StructuredOf<Given extends Schema> =
  Given extends StandardSchema<infer Input, infer _Output> ? Input : StaticOf<Given>

/** The properties at the root of a schema that have a default. */
type Defaulted<Given> = Given extends { readonly properties: infer Properties }
  ? {
      [Name in keyof Properties]: Properties[Name] extends { readonly default: unknown }
        ? Name
        : never
    }[keyof Properties]
  : never

type WithOptional<Value, Names> = [Names] extends [never]
  ? Value
  : Flat<Omit<Value, Names & PropertyKey> & Partial<Pick<Value, Names & keyof Value>>>

type WithRequired<Value, Names> = [Names] extends [never]
  ? Value
  : Flat<Omit<Value, Names & PropertyKey> & Required<Pick<Value, Names & keyof Value>>>

type Flat<Value> = { [Name in keyof Value]: Value[Name] }

type StaticOf<Given> = Given extends TSchema ? Known<Static<Given>> : UntypedArguments

/** A JSON Schema that is not written as a constant says nothing of its type. */
type Known<Type> = unknown extends Type ? UntypedArguments : Type

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
