import * as typebox from 'typebox'

export type { Static, TSchema } from 'typebox'

/** Options without a default. */
type None = { [key: PropertyKey]: never }

/** A schema with its `default`. A property with a default need not be given. */
type WithDefault<Made, Options> = Options extends { readonly default: infer Default }
  ? Made & { readonly default: Default }
  : Made

/**
 * Functions of TypeBox whose types keep the default: `Array`, `Boolean`, `Enum`, `Integer`, `Literal`, `Number`, `Object`, `String`, `Union`.
 *
 * @see https://github.com/sinclairzx81/typebox
 */
interface KeepingDefaults {
  Array<Item extends typebox.TSchema, const Options extends typebox.TArrayOptions = None>(
    items: Item,
    options?: Options,
  ): WithDefault<typebox.TArray<Item>, Options>
  Boolean<const Options extends typebox.TSchemaOptions = None>(
    options?: Options,
  ): WithDefault<typebox.TBoolean, Options>
  Enum<Values extends typebox.TEnumValue[], const Options extends typebox.TSchemaOptions = None>(
    values: readonly [...Values],
    options?: Options,
  ): WithDefault<typebox.TEnum<Values>, Options>
  Enum<
    Enum extends Readonly<Record<string, string | number>>,
    const Options extends typebox.TSchemaOptions = None,
  >(
    values: Enum,
    options?: Options,
  ): WithDefault<typebox.TEnum<Enum[keyof Enum][]>, Options>
  Integer<const Options extends typebox.TNumberOptions = None>(
    options?: Options,
  ): WithDefault<typebox.TInteger, Options>
  Literal<Value extends typebox.TLiteralValue, const Options extends typebox.TSchemaOptions = None>(
    value: Value,
    options?: Options,
  ): WithDefault<typebox.TLiteral<Value>, Options>
  Number<const Options extends typebox.TNumberOptions = None>(
    options?: Options,
  ): WithDefault<typebox.TNumber, Options>
  Object<
    Properties extends typebox.TProperties,
    const Options extends typebox.TObjectOptions = None,
  >(
    properties: Properties,
    options?: Options,
  ): WithDefault<typebox.TObject<Properties>, Options>
  String<const Options extends typebox.TStringOptions = None>(
    options?: Options,
  ): WithDefault<typebox.TString, Options>
  Union<Types extends typebox.TSchema[], const Options extends typebox.TSchemaOptions = None>(
    anyOf: [...Types],
    options?: Options,
  ): WithDefault<typebox.TUnion<Types>, Options>
}

/** TypeBox, whose properties with a `default` need not be given by a caller. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same functions: what they are given stands in what they make
export const Type = typebox.Type as Omit<typeof typebox.Type, keyof KeepingDefaults> &
  KeepingDefaults
