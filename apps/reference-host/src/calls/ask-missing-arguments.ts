import {
  type AnswerQuestion,
  field,
  isJsonObject,
  type JsonObject,
  pointerSteps,
  type Problem,
  type ToolCall,
} from '@toolblocks/protocol'
import type { ToolEntry } from '@toolblocks/tool-executor'

/** Who can be asked, and until when. */
export interface AskMissing {
  ask: AnswerQuestion
  signal: AbortSignal
}

/**
 * Asks a person for the required arguments that nobody has typed, in the words of the tool's schema. Gives `undefined` where something
 * else is wrong with the call, which is to be told instead.
 */
export async function askMissingArguments(
  call: ToolCall,
  { problems, tool }: { problems: readonly Problem[] } & Pick<ToolEntry, 'tool'>,
  { ask, signal }: AskMissing,
): Promise<ToolCall | 'left' | undefined> {
  const schema = schemaOfMissing(problems, tool.inputSchema)
  if (!schema) return undefined
  const answer = await ask(
    { id: 'arguments', text: `What ${tool.name} takes`, schema },
    { blocks: [], source: { kind: 'question', call }, signal },
  )
  if (answer.action !== 'accept' || !isJsonObject(answer.value)) return 'left'
  return { ...call, arguments: { ...call.arguments, ...answer.value } }
}

/** The schema of what is missing, where that is all that is wrong. */
function schemaOfMissing(problems: readonly Problem[], schema: unknown): JsonObject | undefined {
  if (!isJsonObject(schema)) return undefined
  const { properties, $defs, definitions } = schema
  const missing = problems.flatMap(({ code, path }) => {
    const [name, ...below] = pointerSteps(path)
    return code === 'required' && name !== undefined && below.length === 0 ? [name] : []
  })
  if (missing.length < problems.length || !isJsonObject(properties)) return undefined
  if (!missing.every((name) => Object.hasOwn(properties, name))) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(missing.map((name) => [name, field(properties, name)])),
    required: missing,
    ...(isJsonObject($defs) && { $defs }),
    ...(isJsonObject(definitions) && { definitions }),
  }
}
