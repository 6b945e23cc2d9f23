import { type JsonObject, type JsonSchema, isJsonObject } from '@toolblocks/protocol'
import { followReference } from '@toolblocks/protocol/internal'
import { readChoices, type Choice } from '../questions/read-choices.ts'

/** A prompt for one value. */
export type ValuePrompt =
  | { kind: 'yes-no' }
  | { kind: 'select'; choices: readonly Choice[] }
  | { kind: 'multi-select'; choices: readonly Choice[] }
  | {
      kind: 'text'
      /** `several`: a free text, which may have several lines. `one`: its format, pattern or length says that it is one line. */
      lines: 'one' | 'several'
    }
  | { kind: 'number'; numbers: 'any' | 'whole' }
  /** A list of texts. */
  | { kind: 'lines' }

/** One property of a flat object. */
export interface FormField {
  name: string
  schema: JsonObject
  prompt: ValuePrompt
  required: boolean
  /** Whether it may be null, which means that a required field is omitted. Default: false. */
  takesNull?: boolean
}

/** The way to ask for a value of a schema. */
export type PromptKind =
  | ValuePrompt
  | { kind: 'form'; fields: readonly FormField[] }
  | { kind: 'editor' }

/** Chooses the prompt for a schema. If no prompt fits, the editor asks. */
export function getPromptKind(unresolved: JsonSchema): PromptKind {
  if (!isJsonObject(unresolved)) return { kind: 'editor' }
  const schema = followReferences(unresolved, unresolved)
  const prompt = valuePrompt(schema)
  if (prompt) return prompt
  const fields = schema['type'] === 'object' ? readFields(schema) : undefined
  return fields ? { kind: 'form', fields } : { kind: 'editor' }
}

function valuePrompt(schema: JsonObject): ValuePrompt | undefined {
  const choices = readChoices(schema)
  if (choices) return { kind: 'select', choices }
  switch (typeBesideNull(schema)) {
    case 'boolean':
      return { kind: 'yes-no' }
    case 'string':
      return { kind: 'text', lines: isFreeText(schema) ? 'several' : 'one' }
    case 'number':
      return { kind: 'number', numbers: 'any' }
    case 'integer':
      return { kind: 'number', numbers: 'whole' }
    case 'array': {
      const items = schema['items']
      if (!isJsonObject(items)) return undefined
      const several = readChoices(items)
      if (several) return { kind: 'multi-select', choices: several }
      return items['type'] === 'string' && !schema['prefixItems'] ? { kind: 'lines' } : undefined
    }
    default:
      return undefined
  }
}

/** Maximum length of a text that is one line: shorter ones are names, numbers and the like. */
const MAX_LINE_LENGTH = 200

function isFreeText({ format, pattern, maxLength }: JsonObject): boolean {
  const isShort = typeof maxLength === 'number' && maxLength < MAX_LINE_LENGTH
  return format === undefined && pattern === undefined && !isShort
}

/** More references form a cycle or an unusable form. */
const MAX_STEPS = 16

/** Resolves a reference, with the keywords beside it and the definitions that it may use. */
function followReferences(unresolved: JsonObject, root: JsonObject): JsonObject {
  let schema = unresolved
  for (let step = 0; step < MAX_STEPS; step++) {
    const { $ref: reference, ...beside } = schema
    const target = followReference(root, reference)?.schema
    if (!isJsonObject(target)) return schema
    schema = { ...getDefinitions(root), ...target, ...beside }
  }
  return unresolved
}

function getDefinitions({ $defs, definitions }: JsonObject): JsonObject {
  return {
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  }
}

/** Whether a schema allows null beside values of one type, without listing it as a choice. */
export function takesNull(schema: JsonObject): boolean {
  const { type } = schema
  return isTypeOrNull(type) && readChoices(schema) === undefined
}

function isTypeOrNull(type: unknown): type is readonly unknown[] {
  return Array.isArray(type) && type.length === 2 && type.includes('null')
}

function typeBesideNull({ type }: JsonObject): unknown {
  return isTypeOrNull(type) ? type.find((each) => each !== 'null') : type
}

/** Returns the fields if the object can be asked for field by field. */
function readFields(schema: JsonObject): FormField[] | undefined {
  const { properties, required, patternProperties, additionalProperties } = schema
  if (!isJsonObject(properties) || patternProperties || isJsonObject(additionalProperties))
    return undefined
  const needed = new Set<unknown>(Array.isArray(required) ? required : [])
  const fields: FormField[] = []
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) return undefined
    const described = followReferences(property, schema)
    const prompt = valuePrompt(described)
    if (!prompt) return undefined
    fields.push({
      name,
      schema: described,
      prompt,
      required: needed.delete(name),
      ...(takesNull(described) && { takesNull: true }),
    })
  }
  return fields.length > 0 && needed.size === 0 ? fields : undefined
}
