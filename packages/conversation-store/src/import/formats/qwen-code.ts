import { field, isJsonObject, type JsonObject } from '@toolblocks/protocol'
import { createReadContents, type ReadContents } from '../convert/read-contents.ts'
import { type Part, aboutOf, readMessages, restOf, spoken } from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readGeminiUsage } from '../convert/read-usage.ts'
import { inner, textsOf } from '../records/records.ts'
import type { SplitSource } from '../sources/source.ts'

/** A session of Qwen Code: lines like those of Claude Code, with contents for Gemini's API. */
export function isQwenCode({ document }: SplitSource): boolean {
  const { shape, records } = document
  if (shape !== 'lines') return false
  return records.slice(0, 50).some(({ value }) => {
    const isText = (name: string): boolean => typeof field(value, name) === 'string'
    const parts = inner(value, 'message', 'parts')
    return isText('sessionId') && isText('uuid') && Array.isArray(parts)
  })
}

export function readQwenCode(source: SplitSource): readonly ReadConversation[] {
  const records = source.document.records.map(({ value }) => value)
  const first = (name: string): string | undefined => textsOf(records, name)[0]
  const [session, agent] = [first('sessionId'), first('agentId')]
  const read = createReadContents()
  return [
    readMessages(source, {
      format: 'qwen-code',
      // The sessions of agents that it starts name the session they are of.
      id: session !== undefined && agent !== undefined ? `${session}-${agent}` : session,
      title: textsOf(records, 'systemPayload', 'customTitle').at(-1),
      about: aboutOf({
        folder: first('cwd'),
        model: textsOf(records, 'model').at(-1),
        gitBranch: first('gitBranch'),
        version: first('version'),
      }),
      partsOf: (record) => partsOf(record, read),
      fieldsOf: (record) =>
        restOf(record, [
          'type',
          'timestamp',
          'sessionId',
          'message',
          'model',
          'usageMetadata',
          'toolCallResult',
        ]),
      spokenOf,
    }),
  ]
}

function partsOf(record: JsonObject, read: ReadContents): readonly Part[] {
  const type = field(record, 'type')
  const parts = inner(record, 'message', 'parts')
  const isSaid = type === 'user' || type === 'assistant' || type === 'tool_result'
  if (!isSaid || !Array.isArray(parts)) return []
  const said = read(parts, type === 'assistant' ? 'assistant' : 'user')
  const told = field(record, 'toolCallResult')
  return isJsonObject(told) ? said.map((part) => withTold(part, told)) : said
}

/** A result with what the program showed of it, and whether it failed. */
function withTold(part: Part, told: JsonObject): Part {
  if (part.kind !== 'result') return part
  const status = field(told, 'status')
  const isError = part.result.isError || status === 'error' || status === 'cancelled'
  return {
    kind: 'result',
    result: {
      ...part.result,
      isError,
      ...(status === 'cancelled' && { metadata: { outcome: 'cancelled' as const } }),
    },
    fields: restOf(told, ['callId', 'responseParts']),
  }
}

function spokenOf(record: JsonObject): ReturnType<typeof spoken> {
  const usage = field(record, 'usageMetadata')
  return spoken(
    field(record, 'model'),
    readGeminiUsage({
      prompt: inner(usage, 'promptTokenCount'),
      tool: inner(usage, 'toolUsePromptTokenCount'),
      cached: inner(usage, 'cachedContentTokenCount'),
      candidates: inner(usage, 'candidatesTokenCount'),
      thoughts: inner(usage, 'thoughtsTokenCount'),
      total: inner(usage, 'totalTokenCount'),
    }),
  )
}
