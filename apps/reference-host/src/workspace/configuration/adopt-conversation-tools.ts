import { answeringModelSchema } from './table-schemas.ts'
import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { toolKeys } from './configuration-schema.ts'

/** A document in which older tables were moved to their current place. */
export interface Adopted {
  value: JsonObject
  /** The names of tools that were written as `[conversation.tools.<name>]`. */
  adopted: ReadonlySet<string>
  /** Paths of keys that have no meaning here. */
  ignored: readonly (readonly string[])[]
}

/**
 * Moves `[conversation.tools.<name>]`, an older spelling, to `[tools.<name>]`. A parameter is optional there unless the table says that it is
 * required.
 */
export function adoptConversationTools({ conversation, ...value }: JsonObject): Adopted {
  const { tools: older, ...others } = asTable(conversation)
  const ignored: string[][] = Object.keys(others).map((key) => ['conversation', key])
  const newer = asTable(value['tools'])
  const tools = Object.entries(asTable(older)).flatMap(([name, tool]) => {
    if (Object.hasOwn(newer, name)) {
      ignored.push(['conversation', 'tools', name])
      return []
    }
    const entries = Object.entries(asTable(tool)).filter(([key]) => {
      const isKnown = toolKeys.includes(key)
      if (!isKnown) ignored.push(['conversation', 'tools', name, key])
      return isKnown
    })
    const table = withOptionalParameters(Object.fromEntries(entries))
    const { tool: asked, ignored: unknown } = withKnownTargets(table)
    ignored.push(...unknown.map((path) => ['conversation', 'tools', name, ...path]))
    return [[name, asked] as const]
  })
  if (tools.length === 0) return { value, adopted: new Set(), ignored }
  const merged = { ...Object.fromEntries(tools), ...newer }
  const adopted = new Set(tools.map(([name]) => name))
  return { value: { ...value, tools: merged }, adopted, ignored }
}

/** Replaces an older target that describes a model by the model of the conversation. Keys that are not known here are ignored and reported. */
function withKnownTargets(tool: JsonObject): { tool: JsonObject; ignored: readonly string[][] } {
  const { questions } = tool
  if (!isJsonObject(questions)) return { tool, ignored: [] }
  const ignored: string[][] = []
  const entries = Object.entries(questions).map(([id, question]) => {
    if (!isJsonObject(question) || !isJsonObject(question['target'])) return [id, question]
    const keys = Object.keys(question['target'])
    if (keys.every((key) => MODEL_KEYS.includes(key))) return [id, question]
    ignored.push(['questions', id, 'target'])
    return [id, { ...question, target: 'assistant' }]
  })
  return { tool: { ...tool, questions: Object.fromEntries(entries) }, ignored }
}

const MODEL_KEYS: readonly string[] = Object.keys(answeringModelSchema.properties)

/**
 * Makes parameters optional unless the table says otherwise. It leaves them unchanged if the program is asked, because then only the program knows
 * which ones are required.
 */
function withOptionalParameters(tool: JsonObject): JsonObject {
  const { parameters, describe } = tool
  if (!isJsonObject(parameters) || describe === true) return tool
  return { ...tool, parameters: optionalAll(parameters) }
}

function optionalAll(parameters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      isJsonObject(parameter) ? { required: false, ...optionalInside(parameter) } : parameter,
    ]),
  )
}

function optionalInside(parameter: JsonObject): JsonObject {
  const { properties, items } = parameter
  return {
    ...parameter,
    ...(isJsonObject(properties) && { properties: optionalAll(properties) }),
    ...(isJsonObject(items) && { items: optionalInside(items) }),
  }
}

function asTable(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
