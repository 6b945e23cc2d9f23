import {
  field,
  type InputRequest,
  isJsonObject,
  type JsonObject,
  parseJson,
} from '@toolblocks/protocol'

/** A form of MCP's, and how its answer becomes the question's. */
export interface QuestionForm {
  schema: JsonObject
  /** `whole`: the form is the answer. `value`: its one field is. `text`: its one field holds the answer as JSON. */
  answer: 'whole' | 'value' | 'text'
}

const FIELD = 'value'

/** A question as a form of MCP's: a flat object of simple fields. What does not fit is asked for as JSON. */
export function toForm(request: InputRequest): QuestionForm {
  const { schema, text } = request
  if (isJsonObject(schema) && isFlatForm(schema)) return { schema, answer: 'whole' }
  const hasDefault = 'default' in request
  if (isJsonObject(schema) && isSimple(schema))
    return {
      schema: withOneField({
        title: text,
        ...schema,
        ...(hasDefault && { default: request.default }),
      }),
      answer: 'value',
    }
  const described = `JSON that fits the schema ${JSON.stringify(schema)}`
  return {
    schema: withOneField({
      type: 'string',
      title: text,
      description: described,
      ...(hasDefault && { default: JSON.stringify(request.default) }),
    }),
    answer: 'text',
  }
}

/** The answer to the question out of the form's; text that is no JSON stays text, and does not fit. */
export function readForm(content: JsonObject, { answer }: QuestionForm): unknown {
  switch (answer) {
    case 'whole':
      return content
    case 'value':
      return field(content, FIELD)
    case 'text': {
      const text = field(content, FIELD)
      const value = typeof text === 'string' ? parseJson(text) : undefined
      return value === undefined ? text : value
    }
  }
}

function withOneField(property: JsonObject): JsonObject {
  return { type: 'object', properties: { [FIELD]: property }, required: [FIELD] }
}

function isFlatForm({ type, properties }: JsonObject): boolean {
  if (type !== 'object') return false
  return (
    isJsonObject(properties) &&
    Object.values(properties).every((property) => isJsonObject(property) && isSimple(property))
  )
}

const SIMPLE = new Set(['string', 'number', 'integer', 'boolean'])

/** A text, number, truth value, a choice, or several choices. */
function isSimple({ type, items, ...keywords }: JsonObject): boolean {
  if ('$ref' in keywords || 'allOf' in keywords) return false
  if (typeof type === 'string' && SIMPLE.has(type)) return true
  if (type !== 'array' || !isJsonObject(items)) return false
  return items['type'] === 'string' || Array.isArray(items['anyOf'])
}
