import { type JsonObject, isJsonObject } from '@toolblocks/protocol'
import { getOwnField } from '@toolblocks/protocol/internal'
import { createReadContents, type ReadContents } from '../convert/read-contents.ts'
import {
  type ImportedPart,
  readAbout,
  readMessages,
  omitFields,
  createModelUsage,
  createKey,
  createPlace,
  createTitle,
} from '../convert/read-messages.ts'
import type { ReadConversation } from '../convert/read-conversation.ts'
import { readGeminiUsage } from '../convert/read-usage.ts'
import { getInner, getTexts } from '../records/records.ts'
import type { SplitSource } from '../sources/source.ts'

/** Whether a document is a session of Qwen Code: lines like those of Claude Code, with contents for Gemini's API. */
export function isQwenCode({ document }: SplitSource): boolean {
  const { shape, records } = document
  if (shape !== 'lines') return false
  return records.slice(0, 50).some(({ value }) => {
    const isText = (name: string): boolean => typeof getOwnField(value, name) === 'string'
    const parts = getInner(value, 'message', 'parts')
    return isText('sessionId') && isText('uuid') && Array.isArray(parts)
  })
}

export function readQwenCode(source: SplitSource): readonly ReadConversation[] {
  const records = source.document.records.map(({ value }) => value)
  const first = (name: string): string | undefined => getTexts(records, name)[0]
  const [session, agent] = [first('sessionId'), first('agentId')]
  const read = createReadContents()
  return [
    readMessages(source, {
      format: 'qwen-code',
      // The sessions of agents that a session starts name that session.
      id: session !== undefined && agent !== undefined ? `${session}-${agent}` : session,
      readTitle: (record) => {
        const payload = getOwnField(record, 'systemPayload')
        const by = getInner(payload, 'titleSource') === 'auto' ? 'program' : 'person'
        return createTitle(getInner(payload, 'customTitle'), by)
      },
      about: readAbout({
        folder: first('cwd'),
        model: getTexts(records, 'model').at(-1),
        gitBranch: first('gitBranch'),
        version: first('version'),
      }),
      readPlace: (record) => ({
        ...createPlace(getOwnField(record, 'uuid'), getOwnField(record, 'parentUuid')),
        // The program notes titles and telemetry where it is; a rewind moves it.
        isNote:
          getOwnField(record, 'type') === 'system' && getOwnField(record, 'subtype') !== 'rewind',
      }),
      readKey: (record) => createKey(getOwnField(record, 'uuid'), 'first'),
      readParts: (record) => readParts(record, read),
      readFields: (record) =>
        omitFields(record, [
          'type',
          'timestamp',
          'sessionId',
          'message',
          'model',
          'usageMetadata',
          'toolCallResult',
        ]),
      readMessage: readModelUsage,
    }),
  ]
}

function readParts(record: JsonObject, read: ReadContents): readonly ImportedPart[] {
  const type = getOwnField(record, 'type')
  const parts = getInner(record, 'message', 'parts')
  const isSaid = type === 'user' || type === 'assistant' || type === 'tool_result'
  if (!isSaid || !Array.isArray(parts)) return []
  const spoken = read(parts, type === 'assistant' ? 'assistant' : 'user')
  const shownResult = getOwnField(record, 'toolCallResult')
  return isJsonObject(shownResult) ? spoken.map((part) => withShown(part, shownResult)) : spoken
}

/** Adds to a result what the program showed of it, and whether it failed. */
function withShown(part: ImportedPart, shownResult: JsonObject): ImportedPart {
  if (part.kind !== 'result') return part
  const status = getOwnField(shownResult, 'status')
  const isError = part.result.isError || status === 'error' || status === 'cancelled'
  return {
    kind: 'result',
    result: {
      ...part.result,
      isError,
      ...(status === 'cancelled' && { metadata: { outcome: 'cancelled' as const } }),
    },
    fields: omitFields(shownResult, ['callId', 'responseParts']),
  }
}

function readModelUsage(record: JsonObject): ReturnType<typeof createModelUsage> {
  const usage = getOwnField(record, 'usageMetadata')
  return createModelUsage(
    getOwnField(record, 'model'),
    readGeminiUsage({
      prompt: getInner(usage, 'promptTokenCount'),
      tool: getInner(usage, 'toolUsePromptTokenCount'),
      cached: getInner(usage, 'cachedContentTokenCount'),
      candidates: getInner(usage, 'candidatesTokenCount'),
      thoughts: getInner(usage, 'thoughtsTokenCount'),
      total: getInner(usage, 'totalTokenCount'),
    }),
  )
}
