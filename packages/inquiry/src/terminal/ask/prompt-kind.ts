import { isJsonObject, type JsonObject, type JsonSchema } from '@toolblocks/protocol'
import { readChoices, type Choice } from '../../questions/read-choices.ts'

/** A prompt for one value. */
export type ValuePrompt =
  | { kind: 'yes-no' }
  | { kind: 'select'; choices: readonly Choice[] }
  | { kind: 'multi-select'; choices: readonly Choice[] }
  | { kind: 'text' }
  | { kind: 'number'; numbers: 'any' | 'whole' }
  /** A list of texts. */
  | { kind: 'lines' }

/** One property of a flat object. */
export interface FormField {
  name: string
  schema: JsonObject
  prompt: ValuePrompt
  required: boolean
}

/** What a schema is asked with. */
export type PromptKind =
  | ValuePrompt
  | { kind: 'form'; fields: readonly FormField[] }
  | { kind: 'editor' }

/** Chooses the prompt for a schema; what no prompt can ask for is the editor's. */
export function promptKindOf(schema: JsonSchema): PromptKind {
  if (!isJsonObject(schema)) return { kind: 'editor' }
  const prompt = valuePrompt(schema)
  if (prompt) return prompt
  const fields = schema['type'] === 'object' ? readFields(schema) : undefined
  return fields ? { kind: 'form', fields } : { kind: 'editor' }
}

function valuePrompt(schema: JsonObject): ValuePrompt | undefined {
  const choices = readChoices(schema)
  if (choices) return { kind: 'select', choices }
  switch (schema['type']) {
    case 'boolean':
      return { kind: 'yes-no' }
    case 'string':
      return { kind: 'text' }
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

/** The fields, if every value the object may have can be asked for one by one. */
function readFields(schema: JsonObject): FormField[] | undefined {
  const { properties, required, patternProperties, additionalProperties } = schema
  if (!isJsonObject(properties) || patternProperties || isJsonObject(additionalProperties))
    return undefined
  const needed = new Set<unknown>(Array.isArray(required) ? required : [])
  const fields: FormField[] = []
  for (const [name, property] of Object.entries(properties)) {
    const prompt = isJsonObject(property) ? valuePrompt(property) : undefined
    if (!prompt || !isJsonObject(property)) return undefined
    fields.push({ name, schema: property, prompt, required: needed.delete(name) })
  }
  return fields.length > 0 && needed.size === 0 ? fields : undefined
}
