import type { Static, TSchema } from 'typebox'

/**
 * A schema that implements Standard Schema and Standard JSON Schema, as those of Zod and ArkType do. `toStandardJsonSchema` of
 * `@valibot/to-json-schema` makes one of a Valibot schema.
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

/** What a schema library returns for a value. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One problem of a value, as a schema library describes it. */
export interface StandardIssue {
  readonly message: string
  /** Zod, ArkType and Valibot name the expected type here. */
  readonly expected?: unknown
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A schema of TypeBox. */
interface TypeBoxSchema {
  readonly '~standard'?: never
  readonly $ref?: unknown
  readonly type?: unknown
  readonly allOf?: unknown
  readonly anyOf?: unknown
}

/** A JSON Schema as plain data. */
interface SchemaDocument {
  readonly '~standard'?: never
  readonly [keyword: string]: unknown
}

/** A schema of TypeBox, of a library with Standard JSON Schema (Zod, ArkType, Valibot behind `toStandardJsonSchema`), or a JSON Schema. */
export type ToolSchema = StandardSchema | TypeBoxSchema | SchemaDocument

/** The type of a value before a schema is applied: fields with a default may be absent. Arguments have it for whoever calls the tool. */
export type InferInput<Given extends ToolSchema | undefined> =
  Given extends StandardSchema<infer Input, infer _Output>
    ? Input
    : WithOptional<StaticOf<Given>, Defaulted<Given>>

/** The type of a value after a schema is applied: defaults are filled in, and the schema library has transformed it. `run` gets its arguments so. */
export type InferOutput<Given extends ToolSchema | undefined> =
  Given extends StandardSchema<infer _Input, infer Output>
    ? Output
    : WithRequired<StaticOf<Given>, Defaulted<Given>>

/** The type of the structured data that a tool with this `outputSchema` returns: nobody fills in its defaults. */
export type InferStructured<Given extends ToolSchema> =
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

/** Arguments without types: those of a tool with `parameters`. */
export type UntypedArguments = Readonly<Record<string, unknown>>

/** Returns an argument that must be there. Throws an `Error` that names the argument where it is absent or `null`: the call then fails with this message. */
export function required(args: UntypedArguments, name: string): unknown {
  const value = optional(args, name)
  if (value !== undefined) return value
  throw new Error(`the argument ${JSON.stringify(name)} is missing`)
}

/** Returns an argument, or `undefined` where it is absent or `null`. */
export function optional(args: UntypedArguments, name: string): unknown {
  return (Object.hasOwn(args, name) ? args[name] : undefined) ?? undefined
}
