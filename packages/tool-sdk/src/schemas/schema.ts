import { requireArguments } from '@toolblocks/protocol/internal'
import type { Static, TSchema } from 'typebox'

/**
 * A schema that implements Standard Schema and Standard JSON Schema, as those of Zod and ArkType do. `toStandardJsonSchema` of
 * `@valibot/to-json-schema` makes one of a Valibot schema.
 *
 * @see https://standardschema.dev
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

/** Checks a value with the library that made its schema, and returns the value as the library transforms it. */
export type Validate = NonNullable<StandardSchema['~standard']['validate']>

/** What a schema library returns for a value: the parsed `value`, or the `issues`. */
type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One problem of a value, as a schema library describes it. */
export interface StandardIssue {
  readonly message: string
  /** Zod, ArkType and Valibot name the expected type here. */
  readonly expected?: unknown
  /** The path to the value, by property names and indexes; some libraries put each `key` into an object. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/**
 * A schema of TypeBox: an object with a keyword of JSON Schema that TypeBox writes.
 *
 * @see https://github.com/sinclairzx81/typebox
 */
interface TypeBoxSchema {
  readonly '~standard'?: never
  readonly $ref?: unknown
  readonly type?: unknown
  readonly allOf?: unknown
  readonly anyOf?: unknown
}

/** The properties of an object, each with its schema: `{ name: z.string() }`. */
export type StandardShape = Readonly<Record<string, StandardSchema>>

/** A JSON Schema as plain data. */
interface SchemaDocument {
  readonly '~standard'?: never
  readonly [keyword: string]: unknown
}

/**
 * A schema of TypeBox, of a library with Standard JSON Schema (Zod, ArkType, Valibot behind `toStandardJsonSchema`), an object with such a schema for
 * each property, or a JSON Schema.
 */
export type ToolSchema = StandardSchema | StandardShape | TypeBoxSchema | SchemaDocument

/** The type of a value before a schema is applied: fields with a default may be absent. Arguments have it for whoever calls the tool. */
export type InferInput<Schema extends ToolSchema | undefined> =
  Schema extends StandardSchema<infer Input, infer _Output>
    ? Input
    : IsShape<Schema> extends true
      ? ShapeInput<Schema>
      : WithOptional<StaticOf<Schema>, Defaulted<Schema>>

/** The type of a value after a schema is applied: defaults are filled in, and the schema library has transformed it. `run` gets its arguments so. */
export type InferOutput<Schema extends ToolSchema | undefined> =
  Schema extends StandardSchema<infer _Input, infer Output>
    ? Output
    : IsShape<Schema> extends true
      ? ShapeOutput<Schema>
      : WithRequired<StaticOf<Schema>, Defaulted<Schema>>

/** The type of the structured data that a tool with this `outputSchema` returns. Defaults are not filled in. */
export type InferStructured<Schema extends ToolSchema> =
  Schema extends StandardSchema<infer Input, infer _Output>
    ? Input
    : IsShape<Schema> extends true
      ? ShapeInput<Schema>
      : StaticOf<Schema>

/** Whether each property of a type is a schema of a library. */
type IsShape<Shape> = [keyof Shape] extends [never]
  ? false
  : Shape extends StandardShape
    ? true
    : false

/** The type of an object before the schemas of its properties are applied. */
type ShapeInput<Shape> = WithOptional<
  {
    -readonly [Name in keyof Shape]: Shape[Name] extends StandardSchema<infer Input, infer _Output>
      ? Input
      : never
  },
  {
    [Name in keyof Shape]: Shape[Name] extends StandardSchema<infer Input, infer _Output>
      ? undefined extends Input
        ? Name
        : never
      : never
  }[keyof Shape]
>

/** The type of an object after the schemas of its properties are applied. */
type ShapeOutput<Shape> = WithOptional<
  {
    -readonly [Name in keyof Shape]: Shape[Name] extends StandardSchema<infer _Input, infer Output>
      ? Output
      : never
  },
  {
    [Name in keyof Shape]: Shape[Name] extends StandardSchema<infer _Input, infer Output>
      ? undefined extends Output
        ? Name
        : never
      : never
  }[keyof Shape]
>

/** The names of the `properties` at the root of a schema that have a `default`. */
type Defaulted<Schema> = Schema extends { readonly properties: infer Properties }
  ? {
      [Name in keyof Properties]: Properties[Name] extends { readonly default: unknown }
        ? Name
        : never
    }[keyof Properties]
  : never

/** An object type in which the named properties are optional. */
type WithOptional<Value, Names> = [Names] extends [never]
  ? Value
  : Flat<Omit<Value, Names & PropertyKey> & Partial<Pick<Value, Names & keyof Value>>>

/** An object type in which the named properties are required. */
type WithRequired<Value, Names> = [Names] extends [never]
  ? Value
  : Flat<Omit<Value, Names & PropertyKey> & Required<Pick<Value, Names & keyof Value>>>

/** The same type as one object, so that an editor shows its properties. */
type Flat<Value> = { [Name in keyof Value]: Value[Name] }

/** The type of a TypeBox schema or of a constant JSON Schema. */
type StaticOf<Schema> = Schema extends TSchema ? KnownArguments<Static<Schema>> : UntypedArguments

/** A JSON Schema that is not a constant has no known type. */
type KnownArguments<Type> = unknown extends Type ? UntypedArguments : Type

/** Arguments without types: those of a tool with `parameters`. */
export type UntypedArguments = Readonly<Record<string, unknown>>

/** Returns an argument that must be there. Throws an `Error` that names the argument if it is absent or `null`; the call then fails with this message. */
export function required(args: UntypedArguments, name: string): unknown {
  requireArguments('required(args, name)', [args, 'object'], [name, 'string'])
  const value = optional(args, name)
  if (value !== undefined) return value
  throw new Error(`the argument ${JSON.stringify(name)} is missing`)
}

/** Returns an argument, or `undefined` if it is absent or `null`. */
export function optional(args: UntypedArguments, name: string): unknown {
  requireArguments('optional(args, name)', [args, 'object'], [name, 'string'])
  return (Object.hasOwn(args, name) ? args[name] : undefined) ?? undefined
}
