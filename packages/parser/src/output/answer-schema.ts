import { isJsonObject, type JsonObject } from '@toolblocks/protocol'

/**
 * The JSON Schema of an answer in the older dialect, which has been written in two shapes:
 * `"Boolean"`, `"Text"`, `{"Select": {"options": […]}}`, and `{"type": "boolean" | "text" | "select" | "secret", …}`.
 */
export function answerSchema(answerType: unknown): JsonObject | undefined {
  if (typeof answerType === 'string') return schemaOf(answerType, {})
  if (!isJsonObject(answerType)) return undefined
  if (typeof answerType['type'] === 'string') return schemaOf(answerType['type'], answerType)
  const [name, ...others] = Object.keys(answerType)
  const details = name === undefined ? undefined : answerType[name]
  const isTagged = name !== undefined && others.length === 0 && isJsonObject(details)
  return isTagged ? schemaOf(name, details) : undefined
}

function schemaOf(name: string, { options }: JsonObject): JsonObject | undefined {
  switch (name.toLowerCase()) {
    case 'boolean':
      return { type: 'boolean' }
    case 'text':
      return { type: 'string' }
    case 'secret':
      return { type: 'string', format: 'password', writeOnly: true }
    case 'select':
      return selectSchema(options)
    default:
      return undefined
  }
}

function selectSchema(options: unknown): JsonObject | undefined {
  if (!Array.isArray(options)) return undefined
  const choices = options.map((option): JsonObject =>
    isJsonObject(option) ? option : { value: option },
  )
  if (choices.some(({ value }) => typeof value !== 'string')) return undefined
  if (choices.every(({ description }) => typeof description !== 'string')) {
    return { type: 'string', enum: choices.map(({ value }) => value) }
  }
  return {
    type: 'string',
    oneOf: choices.map(({ value, description }) => ({
      const: value,
      title: value,
      ...(typeof description === 'string' && { description }),
    })),
  }
}
